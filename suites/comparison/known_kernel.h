// KnownKernel: small kernels, compiled for this machine, that test comparisons:
// one is compared with a copy of itself that does a known share of extra work
// (Contender::extra_work), so that the right verdict is known.
#ifndef ASSAY_SUITES_COMPARISON_KNOWN_KERNEL_H_
#define ASSAY_SUITES_COMPARISON_KNOWN_KERNEL_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/measure/session.h"

namespace assay::suites {

struct KnownKernel {
  std::string name;
  runtime::Artifact artifact;
  runtime::NamedTensors inputs;
};

// Returns `add`, which is bound by the second-level cache, `conv2d` and
// `matmul`, which are compute-bound. Each takes microseconds on one thread.
absl::StatusOr<std::vector<KnownKernel>> CompileKnownKernels();

// Loads the kernel twice, as the suites load two builds: with two copies of the
// code that share their data.
absl::StatusOr<std::unique_ptr<runtime::Session>> LoadPair(
    const KnownKernel& kernel);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_KNOWN_KERNEL_H_
