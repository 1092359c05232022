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
  // InvalidArgument for an artifact whose plan does not validate or whose code
  // is not for this device; ResourceExhausted if memory runs out.
  //
  // `beside` may be another executor on the same device, with a model to
  // compare with: inputs, outputs and arena then use its memory, if both models
  // have the same inputs and outputs and it is large enough, because the speed
  // of a program depends on its addresses. Only one of the two may run at a
  // time, and the outputs of one must be read before the other runs.
  static absl::StatusOr<std::unique_ptr<Executor>> Create(
      const Artifact& artifact, Device* device,
      const Executor* beside = nullptr);

  // The model's inputs and outputs in order, and its kernel calls. The shape
  // of an output with a bounded dynamic dimension is its bound.
  const std::vector<TensorInfo>& inputs() const { return inputs_; }
  const std::vector<TensorInfo>& outputs() const { return outputs_; }
  const std::vector<KernelCall>& calls() const { return calls_; }
  Device* device() const { return device_; }

  // Copies a value in, which all following runs read. NotFound if there is no
  // such input; InvalidArgument for another type or shape.
  absl::Status SetInput(absl::string_view name, const NDArray& value);
  // All inputs at once; each must be named, and nothing else.
  absl::Status SetInputs(const NamedTensors& values);

  // Calls every kernel once. FailedPrecondition if an input was never set; an
  // error of a kernel names it.
  absl::Status Run();

  // Run() that also reports the time of each kernel in nanoseconds, in the
  // order of calls(). The sum exceeds the time of Run(), because the clock is
  // read between kernels.
  absl::Status RunTimed(std::vector<int64_t>* kernel_nanos);

  // Overwrites all outputs with bytes of ones, which no number of a float type
  // has: what a later run does not compute anew is not right by accident.
  absl::Status SpoilOutputs();

  // Copies an output of the last run out, a bounded one as large as it is.
  // Internal if a kernel gave it more than the bound. NotFound if there is none
  // of that name; FailedPrecondition if nothing ran yet.
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
  // Inputs, outputs and arena, and the offset of each.
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
