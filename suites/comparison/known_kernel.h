// KnownKernel: a small kernel, compiled for this machine, that is used to test
// comparisons. The kernel is compared with a copy of itself that does a known
// share of extra work (Contender::extra_work), so the correct verdict is known.
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

// Returns the kernels `add`, `conv2d` and `matmul`, in this order. `add` is
// limited by the bandwidth of the second-level cache; `conv2d` and `matmul` are
// compute-bound. Each kernel takes microseconds on one thread.
absl::StatusOr<std::vector<KnownKernel>> CompileKnownKernels();

// Returns a session with two copies of the kernel, as programs 0 and 1, and
// sets their inputs. Each copy has its own code, but the copies share the
// memory of inputs, outputs and arena. The suites compare two builds in the
// same way.
absl::StatusOr<std::unique_ptr<runtime::Session>> LoadPair(
    const KnownKernel& kernel);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_KNOWN_KERNEL_H_
