// Executor: an artifact loaded on a device, ready to run any number of times.
//
// Create() validates the plan, allocates the arena, the parameters and the
// model's inputs and outputs, and binds every kernel to its arguments; Run()
// then only calls kernels. A plan that accesses memory outside its buffers is
// rejected before anything is loaded. The executor knows nothing of the kind
// of the device: how memory is laid out is the device's choice (Placement).
//
//   ASSAY_ASSIGN_OR_RETURN(auto device, CreateDevice(artifact.code_kind));
//   ASSAY_ASSIGN_OR_RETURN(auto executor,
//                          Executor::Create(artifact, device.get()));
//   ASSAY_RETURN_IF_ERROR(executor->SetInput("data", image));
//   ASSAY_RETURN_IF_ERROR(executor->Run());
//   ASSAY_ASSIGN_OR_RETURN(NDArray logits, executor->GetOutput("logits"));
//
// One thread at a time. The artifact is not needed after Create(); the device
// must outlive the executor.
#ifndef ASSAY_RUNTIME_EXECUTOR_EXECUTOR_H_
#define ASSAY_RUNTIME_EXECUTOR_EXECUTOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/ndarray.h"
#include "runtime/device/device.h"

namespace assay::runtime {

class Executor {
 public:
  // Returns InvalidArgument if the plan is invalid or the code is not for this
  // device, and ResourceExhausted if there is not enough memory.
  //
  // `beside` is an optional executor on the same device with a model to compare
  // with. If both models have the same inputs and outputs and its memory is
  // large enough, inputs, outputs and arena use this memory, because the speed
  // of a program depends on its addresses. Only one of the two executors may
  // run at a time, and the outputs of one must be read before the other runs.
  static absl::StatusOr<std::unique_ptr<Executor>> Create(
      const Artifact& artifact, Device* device,
      const Executor* beside = nullptr);

  // The inputs, outputs and kernel calls of the model. The shape of an output
  // with a bounded dynamic dimension has the bound as its extent.
  const std::vector<TensorInfo>& inputs() const { return inputs_; }
  const std::vector<TensorInfo>& outputs() const { return outputs_; }
  const std::vector<KernelCall>& calls() const { return calls_; }
  Device* device() const { return device_; }

  // Sets an input for all following runs by copying `value`. Returns NotFound
  // if there is no such input, and InvalidArgument for a wrong type or shape.
  absl::Status SetInput(absl::string_view name, const NDArray& value);
  // Sets all inputs; `values` must contain each input and nothing else.
  absl::Status SetInputs(const NamedTensors& values);

  // Calls all kernels. Returns FailedPrecondition if an input was never set.
  // The error of a kernel names it.
  absl::Status Run();

  // Like Run(), but also returns the time of each kernel in nanoseconds, in the
  // order of calls(). The sum exceeds the time of Run(), because the clock is
  // read between kernels.
  absl::Status RunTimed(std::vector<int64_t>* kernel_nanos);

  // Overwrites all outputs with 0xff bytes, which are NaN for float types, so
  // that stale outputs of an earlier run are not mistaken for correct ones.
  absl::Status PoisonOutputs();

  // Returns a copy of an output of the last run, with the actual extent of a
  // bounded dynamic dimension. Returns NotFound if there is no such output,
  // FailedPrecondition before the first run, and Internal if the extent exceeds
  // its bound.
  absl::StatusOr<NDArray> GetOutput(absl::string_view name) const;
  absl::StatusOr<NamedTensors> GetOutputs() const;

 private:
  explicit Executor(Device* device) : device_(device) {}

  absl::Status Allocate(const Artifact& artifact, const Executor* beside);
  absl::Status BindCalls(const Artifact& artifact);
  BufferView ViewOf(const TensorInfo& tensor) const;
  absl::StatusOr<NDArray> CopyOut(const TensorInfo& tensor) const;
  absl::Status CheckReady() const;

  Device* const device_;
  std::vector<TensorInfo> inputs_;
  std::vector<TensorInfo> outputs_;
  // The tensors that hold the extents of outputs with a bounded dynamic
  // dimension; `extent` of an output is an index into them.
  std::vector<TensorInfo> extents_;
  std::vector<KernelCall> calls_;

  std::unique_ptr<Buffer> params_;
  // The memory of inputs, outputs and arena, and the offset of each.
  std::shared_ptr<Buffer> memory_;
  std::vector<int64_t> inputs_at_;
  std::vector<int64_t> outputs_at_;
  int64_t arena_at_ = 0;
  std::unique_ptr<Module> module_;  // null if there are no calls
  std::vector<std::unique_ptr<BoundKernel>> kernels_;

  std::vector<bool> input_is_set_;
  bool has_run_ = false;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_EXECUTOR_EXECUTOR_H_
