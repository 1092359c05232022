// KnownKernel: small kernels, compiled for this machine, that test comparisons:
// one is compared with a twin (twin.h) that does a known share of extra work
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
#include "suites/comparison/program_pair.h"

namespace assay::suites {

struct KnownKernel {
  std::string name;
  runtime::Artifact artifact;
  runtime::NamedTensors inputs;
};

// Returns `add`, which is bound by the second-level cache, `conv2d` and
// `matmul`, which are compute-bound. Each takes microseconds on one thread.
absl::StatusOr<std::vector<KnownKernel>> CompileKnownKernels();

// Returns a compute-bound matrix product that is compiled for `threads`
// threads: `matmul` for one thread, a larger one that uses all of them
// otherwise.
absl::StatusOr<KnownKernel> CompileMatmul(int threads);

// A pair that is compared: a kernel and its twin.
struct KnownPair {
  runtime::Artifact base;
  runtime::Artifact twin;
  runtime::NamedTensors inputs;
};
KnownPair PairOf(const KnownKernel& kernel);

// Returns a loader of the pair. The twin does the share `extra_work` of extra
// work. Both are loaded in one session of `runner`, or in a session each if it
// cannot load two artifacts or `separate` is true. The arguments must outlive
// the loader.
PairLoader LoaderOf(const KnownPair& pair, double extra_work,
                    runtime::Runner& runner, int threads,
                    bool separate = false);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_KNOWN_KERNEL_H_
