// Problems compiled by this compiler for this machine and loaded, for
// comparison with the references.
#ifndef ASSAY_SUITES_KERNELS_COMPILED_KERNEL_H_
#define ASSAY_SUITES_KERNELS_COMPILED_KERNEL_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/measure/session.h"

namespace assay::suites {

// Compiles `model`, the content of an ONNX file, as the references get it, for
// `threads` threads. `exact` and `dump_dir` are as in driver::CompileOptions.
absl::StatusOr<runtime::Artifact> CompileForThisMachine(
    const std::string& name, const std::string& model, int threads, bool exact,
    const std::string& dump_dir);

// Describes the layout transformations that WithoutLayoutTransforms() includes,
// in one sentence; empty if there are none. A kernel that reads the input of
// the model or writes its output handles the plain layout itself, and the time
// that this takes is unknown.
std::string PlainLayoutNote(const runtime::Artifact& artifact);

// Loads an artifact for this machine and sets its inputs. `other`, if not null,
// is another artifact of the same problem and becomes program 1.
absl::StatusOr<std::unique_ptr<runtime::Session>> LoadKernel(
    const runtime::Artifact& artifact, const runtime::Artifact* other,
    const runtime::NamedTensors& inputs, int threads);

// Returns a view of `session`, whose program 0 is `artifact`, in which a run
// takes the time of the kernels without those that only transform layouts: the
// cost of the operator within a network, whose layers exchange blocked data.
// `session` must outlive it.
std::unique_ptr<runtime::Session> WithoutLayoutTransforms(
    runtime::Session& session, const runtime::Artifact& artifact);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_COMPILED_KERNEL_H_
