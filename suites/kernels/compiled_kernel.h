// CompiledKernel: a problem compiled by this compiler for this machine and
// loaded, to be run beside the references.
#ifndef ASSAY_SUITES_KERNELS_COMPILED_KERNEL_H_
#define ASSAY_SUITES_KERNELS_COMPILED_KERNEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/device/device.h"
#include "runtime/executor/executor.h"
#include "suites/references/reference.h"

namespace assay::suites {

// `model` is the content of an ONNX file: what the references get, too. The
// code suits `threads` threads. `exact` and `dump_dir` as in
// driver::CompileOptions.
absl::StatusOr<runtime::Artifact> CompileForThisMachine(
    const std::string& name, const std::string& model, int threads, bool exact,
    const std::string& dump_dir);

// What RunKernelsTimed() includes of changing the layout, one sentence; empty
// if nothing. A kernel that is handed the model's input, or writes its output,
// deals with the plain layout itself: nothing tells how long that takes.
std::string PlainLayoutNote(const runtime::Artifact& artifact);

class CompiledKernel : public Prepared {
 public:
  static absl::StatusOr<std::unique_ptr<CompiledKernel>> Load(
      const runtime::Artifact& artifact, const runtime::NamedTensors& inputs,
      int threads);

  // Another artifact of the same problem, in this one's memory (executor.h).
  absl::StatusOr<std::unique_ptr<CompiledKernel>> LoadSharingMemory(
      const runtime::Artifact& artifact,
      const runtime::NamedTensors& inputs) const;

  absl::Status Run() override { return executor_->Run(); }
  absl::StatusOr<NDArray> Output() override;

  // Runs once and gives the time of all kernels but those that only move data
  // between the plain layout and ours: what the operator costs within a
  // network, whose layers hand blocked data to each other.
  absl::StatusOr<int64_t> RunKernelsTimed();

  // `conv2d+add+relu; layout_transform`: what is called, in order.
  std::string Kinds() const;

 private:
  CompiledKernel(std::shared_ptr<runtime::Device> device,
                 std::unique_ptr<runtime::Executor> executor)
      : device_(std::move(device)), executor_(std::move(executor)) {}

  // Destroyed in reverse: the executor needs its device.
  const std::shared_ptr<runtime::Device> device_;
  const std::unique_ptr<runtime::Executor> executor_;
  std::vector<int64_t> nanos_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_COMPILED_KERNEL_H_
