// The programs of this project for a model of a single operator
// (suites/references/problem.h), for the comparison with reference libraries.
// They are compiled for this machine.
#ifndef ASSAY_SUITES_KERNELS_COMPILED_KERNEL_H_
#define ASSAY_SUITES_KERNELS_COMPILED_KERNEL_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/measure/session.h"

namespace assay::suites {

// The programs that are measured for one model.
struct CompiledPrograms {
  // The program that the compiler chooses.
  runtime::Artifact ours;
  // The program that the compiler chooses if only exact algorithms are allowed.
  // Missing if all algorithms of `ours` are exact.
  std::optional<runtime::Artifact> exact;
};

// Compiles `model` for `threads` threads. `model` is the content of an ONNX
// file, for example GemmModel(). `max_error` and `dump_dir` are explained in
// driver::CompileOptions and apply to CompiledPrograms::ours. If `dump_dir` is
// not empty, the stages of CompiledPrograms::exact are written to the directory
// whose name has the suffix `.exact`.
absl::StatusOr<CompiledPrograms> CompileForThisMachine(
    const std::string& name, const std::string& model, int threads,
    double max_error, const std::string& dump_dir);

// Returns a note if a kernel that is not a layout transformation reads the
// input of the model or writes its output, otherwise an empty string. Such a
// kernel itself converts from or to the plain layout. The times of
// WithoutConversions() then include this conversion, and it is not known
// how much time it takes.
std::string PlainLayoutNote(const runtime::Artifact& artifact);

// Loads `artifact` as program 0 on this machine and sets its inputs. `other`,
// if not null, must be an artifact of the same problem; it becomes program 1.
absl::StatusOr<std::unique_ptr<runtime::Session>> LoadKernel(
    const runtime::Artifact& artifact, const runtime::Artifact* other,
    const runtime::NamedTensors& inputs, int threads);

// Returns a session that runs programs of `session`, but does not count the
// times of kernels that only transform layouts. The remaining time is the cost
// of the operator within a network, in which layers exchange data in a blocked
// layout. Only the program that is `artifact` may be run. `session` must
// outlive the returned session.
std::unique_ptr<runtime::Session> WithoutConversions(
    runtime::Session& session, const runtime::Artifact& artifact);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_COMPILED_KERNEL_H_
