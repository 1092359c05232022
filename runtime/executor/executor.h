// Executor: an artifact that is loaded on a device and can be run any number of
// times.
//
// Create() validates the plan, allocates the arena, the parameters and the
// model's inputs and outputs, runs the setup calls, and binds every other call
// to its arguments. Run() then only calls kernels. A plan that accesses memory
// outside its buffers is rejected before anything is loaded. The executor works
// with every kind of device, because the device specifies how memory is laid
// out (Placement).
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
#include "runtime/base/large/large_bytes.h"
#include "runtime/base/ndarray.h"
#include "runtime/device/device.h"
#include "runtime/executor/constants.h"
#include "runtime/executor/program_code.h"

namespace assay::runtime {

class Executor {
 public:
  // The speed of a program depends on its addresses, so the caller can change
  // them, and can make two programs that are compared use the same ones.
  struct Options {
    // If not 0, the data in each buffer begins at an offset that is drawn from
    // this seed: a multiple of ASSAY_BUFFER_ALIGNMENT below 64 KiB. The device
    // draws the address of the code (Device::Load).
    uint64_t placement_seed = 0;
    // Minimum number of bytes to allocate for intermediate values.
    int64_t arena_bytes = 0;
    // An executor on the same device with which the new executor shares memory,
    // and the artifact of `beside`. If `beside` is null, `beside_artifact` must
    // be null, too. Both executors must have the same `placement_seed`. The new
    // executor uses
    //   - the memory of `beside` for inputs, outputs and intermediate values,
    //     if inputs and outputs have the same layout and the memory suffices;
    //     inputs that are set then need not be set again,
    //   - each kernel of `beside` that has the same machine code
    //     (program_code.h),
    //   - each constant of `beside` that has the same bytes, and the results of
    //     each setup call of `beside` that computes the same (constants.h),
    //     unless `beside_artifact` is null.
    // Hence only what differs between the two artifacts has other addresses.
    // Only one of the executors may run at a time, and the outputs of one must
    // be read before the other one runs.
    const Executor* beside = nullptr;
    const Artifact* beside_artifact = nullptr;
  };

  // Returns InvalidArgument if the plan is invalid or the code is not for this
  // device, NotFound if the code lacks a kernel of the plan, and
  // ResourceExhausted if there is not enough memory. Errors of a setup call
  // name its kernel.
  static absl::StatusOr<std::unique_ptr<Executor>> Create(
      const Artifact& artifact, Device* device, const Options& options);
  static absl::StatusOr<std::unique_ptr<Executor>> Create(
      const Artifact& artifact, Device* device) {
    return Create(artifact, device, Options());
  }
  // Like Create(), but may move Artifact::params, and nothing else, out of
  // `artifact`, so that a device in this process need not copy the constants.
  // They are not moved if Options::placement_seed or Options::beside is set.
  static absl::StatusOr<std::unique_ptr<Executor>> Create(
      Artifact&& artifact, Device* device, const Options& options);

  // Return the inputs, outputs and kernel calls of the model, without setup
  // calls. If an output has
  // a bounded dynamic dimension, its shape contains the bound.
  const std::vector<TensorInfo>& inputs() const { return inputs_; }
  const std::vector<TensorInfo>& outputs() const { return outputs_; }
  const std::vector<KernelCall>& calls() const { return calls_; }
  Device* device() const { return device_; }
  // Returns true if both use the same memory for inputs, outputs and
  // intermediate values (Options::beside).
  bool SharesMemoryWith(const Executor& other) const {
    return memory_ == other.memory_;
  }

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

  // Like Run(), but calls `begin` before each kernel and `end` after it, so
  // that a tool that watches the process can attribute events to kernels.
  absl::Status RunMarked(void (*begin)(), void (*end)());

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

  // Implements Create(). `params` points to those of the artifact if they may
  // be moved, and is null otherwise.
  static absl::StatusOr<std::unique_ptr<Executor>> Make(
      const Artifact& artifact, LargeBytes* params, Device* device,
      const Options& options);
  absl::Status Allocate(const Artifact& artifact, const Options& options);
  absl::Status LoadConstants(const Artifact& artifact, LargeBytes* params,
                             const Options& options);
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

  // The memory of inputs, outputs and arena, which can be shared with another
  // executor, and the offset of each input, each output and the arena.
  std::shared_ptr<Buffer> memory_;
  std::vector<int64_t> inputs_at_;
  std::vector<int64_t> outputs_at_;
  int64_t arena_at_ = 0;
  // Destroyed in reverse order: kernels need their code and buffers.
  ProgramCode code_;
  Constants constants_;
  std::vector<std::unique_ptr<BoundKernel>> kernels_;

  std::vector<bool> input_is_set_;
  bool has_run_ = false;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_EXECUTOR_EXECUTOR_H_
