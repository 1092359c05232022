// Executor: an artifact that is loaded on a device and can be run any number of
// times.
//
// Create() validates the plan, allocates the arena, the parameters and the
// model's inputs and outputs, and binds every kernel to its arguments. Run()
// then only calls kernels. A plan that accesses memory outside its buffers is
// rejected before anything is loaded. The executor works with every kind of
// device, because the device specifies how memory is laid out (Placement).
//
//   ASSAY_ASSIGN_OR_RETURN(auto device, CreateDevice(artifact.code_kind));
//   ASSAY_ASSIGN_OR_RETURN(auto executor,
//                          Executor::Create(artifact, device.get()));
//   ASSAY_RETURN_IF_ERROR(executor->SetInput("data", image));
//   ASSAY_RETURN_IF_ERROR(executor->Run());
//   ASSAY_ASSIGN_OR_RETURN(NDArray logits, executor->GetOutput("logits"));
//
// Not thread-safe. The artifact is not needed after Create(). The device must
// outlive the executor.
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
  // If `beside` is not null, it must be an executor on the same device. Its
  // model is the one with which the model of `artifact` will be compared. If
  // the inputs and outputs of both models need the same offsets in memory, and
  // the memory of `beside` is large enough, the new executor uses that memory
  // for its inputs, outputs and arena. Addresses affect the speed of a model,
  // and in this way both models run at the same addresses. In this case, only
  // one of the two executors may run at a time, and its outputs must be read
  // before the other executor runs.
  static absl::StatusOr<std::unique_ptr<Executor>> Create(
      const Artifact& artifact, Device* device,
      const Executor* beside = nullptr);

  // Return the inputs, outputs and kernel calls of the model. If an output has
  // a bounded dynamic dimension, its shape contains the bound.
  const std::vector<TensorInfo>& inputs() const { return inputs_; }
  const std::vector<TensorInfo>& outputs() const { return outputs_; }
  const std::vector<KernelCall>& calls() const { return calls_; }
  Device* device() const { return device_; }

  // Copies `value` to the input `name`, for all following runs. Returns
  // NotFound if there is no such input, and InvalidArgument if the type or the
  // shape is wrong.
  absl::Status SetInput(absl::string_view name, const NDArray& value);
  // Sets all inputs. Returns InvalidArgument if `values` lacks an input, and
  // otherwise the errors of SetInput().
  absl::Status SetInputs(const NamedTensors& values);

  // Calls all kernels. Returns FailedPrecondition if an input was never set. If
  // a kernel fails, the error names the kernel.
  absl::Status Run();

  // Like Run(), but also sets `*kernel_nanos` to the times of the kernels in
  // nanoseconds, in the order of calls(). The sum of the times exceeds the time
  // of Run(), because the clock is read between kernels.
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
  // dimension. In outputs_, TensorInfo::extent is an index into extents_.
  std::vector<TensorInfo> extents_;
  std::vector<KernelCall> calls_;

  std::unique_ptr<Buffer> params_;
  // The memory of the inputs, the outputs and the arena. Another executor can
  // share it. The three members after it are the offsets of each input, each
  // output and the arena in this memory.
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
