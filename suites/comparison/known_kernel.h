// KnownKernel: small kernels of this compiler for this machine, to find out
// what comparisons here are worth: one is compared with a copy of itself that
// does a known share more work (extra_work.h), so that the right verdict is
// known.
#ifndef ASSAY_SUITES_COMPARISON_KNOWN_KERNEL_H_
#define ASSAY_SUITES_COMPARISON_KNOWN_KERNEL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/comparison/paired_sampler.h"

namespace assay::suites {

struct KnownKernel {
  std::string name;
  runtime::Artifact artifact;
  runtime::NamedTensors inputs;
};

// `add`, bound by the second cache, `conv2d` and `matmul`, bound by arithmetic;
// each takes some microseconds on one thread.
absl::StatusOr<std::vector<KnownKernel>> CompileKnownKernels();

struct KnownPair {
  Arm base, changed;
};

// Loads it twice, as the suites load two builds: code in two places, data in
// one. The second does `share` more.
absl::StatusOr<KnownPair> LoadPair(const KnownKernel& kernel, double share);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_KNOWN_KERNEL_H_
