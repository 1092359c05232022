#include "runtime/executor/executor.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/abi/abi.h"
#include "runtime/artifact/validate.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

// More memory than any machine has; sums of such sizes do not overflow.
constexpr int64_t kMaxBytes = int64_t{1} << 48;

// Returns the index of the tensor `name`, or an error that lists all names.
absl::StatusOr<size_t> IndexOf(const std::vector<TensorInfo>& tensors,
                               absl::string_view name, absl::string_view what) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].name == name) return i;
  }
  const auto quoted = [](std::string* out, const TensorInfo& t) {
    absl::StrAppend(out, "`", t.name, "`");
  };
  return absl::NotFoundError(
      absl::StrCat("the model has no ", what, " `", name, "`; its ", what,
                   "s are ", absl::StrJoin(tensors, ", ", quoted)));
}

int64_t RoundUp(int64_t bytes, int64_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

// The seed of the placement of one part; 0 if nothing is drawn.
uint64_t PlacementSeed(const Executor::Options& options,
                       absl::string_view part) {
  if (options.placement_seed == 0) return 0;
  return std::max<uint64_t>(SeedFor(options.placement_seed, part), 1);
}

// The offset in bytes at which a part begins in its buffer.
int64_t Offset(const Executor::Options& options, absl::string_view part) {
  constexpr int64_t kMaxOffset = int64_t{1} << 16;
  const uint64_t seed = PlacementSeed(options, part);
  if (seed == 0) return 0;
  return Rng(seed).UniformInt(0, kMaxOffset / ASSAY_BUFFER_ALIGNMENT - 1) *
         ASSAY_BUFFER_ALIGNMENT;
}

std::string TypeOf(DType dtype, const Shape& shape) {
  return absl::StrCat(dtype.ToString(), ShapeToString(shape));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Executor>> Executor::Create(
    const Artifact& artifact, Device* device, const Options& options) {
  return Make(artifact, /*params=*/nullptr, device, options);
}

absl::StatusOr<std::unique_ptr<Executor>> Executor::Create(
    Artifact&& artifact, Device* device, const Options& options) {
  const bool take = options.beside == nullptr && options.placement_seed == 0;
  return Make(artifact, take ? &artifact.params : nullptr, device, options);
}

absl::StatusOr<std::unique_ptr<Executor>> Executor::Make(
    const Artifact& artifact, LargeBytes* params, Device* device,
    const Options& options) {
  ASSAY_RETURN_IF_ERROR(Validate(artifact));
  std::unique_ptr<Executor> executor(new Executor(device));
  for (int32_t i : InputTensors(artifact)) {
    executor->inputs_.push_back(artifact.tensors[i]);
  }
  for (int32_t i : OutputTensors(artifact)) {
    TensorInfo output = artifact.tensors[i];
    if (output.extent >= 0) {
      executor->extents_.push_back(artifact.tensors[output.extent]);
      output.extent = static_cast<int32_t>(executor->extents_.size()) - 1;
    }
    executor->outputs_.push_back(std::move(output));
  }
  executor->calls_ = artifact.calls;
  ASSAY_RETURN_IF_ERROR(executor->Allocate(artifact, options));
  const bool is_first = options.beside == nullptr;
  ASSAY_ASSIGN_OR_RETURN(
      executor->code_,
      ProgramCode::Load(artifact, device,
                        PlacementSeed(options, is_first ? "code" : "own code"),
                        is_first ? nullptr : &options.beside->code_,
                        options.beside_artifact));
  ASSAY_RETURN_IF_ERROR(executor->LoadConstants(artifact, params, options));
  ASSAY_RETURN_IF_ERROR(executor->BindCalls(artifact));
  return executor;
}

// Allocates one buffer for all writable memory, with the layout that the device
// requires. The relative addresses of inputs, outputs and arena are then the
// same for every instance of a model; otherwise two instances would differ in
// speed by one or two percent.
absl::Status Executor::Allocate(const Artifact& artifact,
                                const Options& options) {
  const Placement placement = device_->placement();
  const Executor* const beside = options.beside;
  const int64_t base = Offset(options, "memory");
  int64_t end = base;
  int64_t parts = 0;
  const auto place = [&](int64_t bytes) {
    const int64_t at = RoundUp(end - base, placement.page) + base +
                       parts++ % placement.staggers * ASSAY_BUFFER_ALIGNMENT;
    end = at + std::min(bytes, kMaxBytes);
    return at;
  };
  for (const TensorInfo& input : inputs_) {
    inputs_at_.push_back(place(NumBytes(input)));
  }
  for (const TensorInfo& output : outputs_) {
    outputs_at_.push_back(place(NumBytes(output)));
  }
  arena_at_ = place(std::max(artifact.arena_bytes, options.arena_bytes));
  const bool fits = beside != nullptr && beside->inputs_at_ == inputs_at_ &&
                    beside->outputs_at_ == outputs_at_ &&
                    end <= beside->memory_->bytes();
  input_is_set_.assign(inputs_.size(), false);
  if (fits) {
    memory_ = beside->memory_;
    input_is_set_ = beside->input_is_set_;
  } else {
    const int64_t bytes = RoundUp(end, placement.buffer_multiple);
    ASSAY_ASSIGN_OR_RETURN(memory_, device_->Allocate(bytes));
  }
  return absl::OkStatus();
}

BufferView Executor::ViewOf(const TensorInfo& tensor) const {
  const int64_t bytes = NumBytes(tensor);
  const auto at = static_cast<size_t>(tensor.position);
  switch (tensor.location) {
    case Location::kInput:
      return {memory_.get(), inputs_at_[at], bytes};
    case Location::kOutput:
      return {memory_.get(), outputs_at_[at], bytes};
    case Location::kParam:
    case Location::kSetup:
      return constants_.ViewOf(tensor);
    case Location::kArena:
      return {memory_.get(), arena_at_ + tensor.position, bytes};
  }
  return {};
}

absl::Status Executor::LoadConstants(const Artifact& artifact,
                                     LargeBytes* params,
                                     const Options& options) {
  const bool is_first = options.beside == nullptr;
  Constants::Options placement;
  placement.params_offset =
      Offset(options, is_first ? "constants" : "own constants");
  placement.setup_offset = Offset(options, is_first ? "setup" : "own setup");
  if (options.beside_artifact != nullptr) {
    placement.beside = &options.beside->constants_;
    placement.beside_artifact = options.beside_artifact;
  }
  ASSAY_ASSIGN_OR_RETURN(
      constants_, Constants::Load(artifact, params, device_, code_, placement));
  return absl::OkStatus();
}

absl::Status Executor::BindCalls(const Artifact& artifact) {
  for (const KernelCall& call : artifact.calls) {
    std::vector<BufferView> args;
    for (int32_t t : call.inputs) args.push_back(ViewOf(artifact.tensors[t]));
    for (int32_t t : call.outputs) args.push_back(ViewOf(artifact.tensors[t]));
    ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<BoundKernel> kernel,
                           code_.Bind(call.symbol, args));
    kernels_.push_back(std::move(kernel));
  }
  return absl::OkStatus();
}

absl::Status Executor::SetInput(absl::string_view name, const NDArray& value) {
  ASSAY_ASSIGN_OR_RETURN(const size_t index, IndexOf(inputs_, name, "input"));
  const TensorInfo& input = inputs_[index];
  if (value.dtype() != input.dtype || value.shape() != input.shape) {
    return absl::InvalidArgumentError(absl::StrCat(
        "input `", name, "` is ", TypeOf(input.dtype, input.shape),
        ", but the value is ", TypeOf(value.dtype(), value.shape())));
  }
  ASSAY_RETURN_IF_ERROR(device_->CopyIn(value.raw(), ViewOf(input)));
  input_is_set_[index] = true;
  return absl::OkStatus();
}

absl::Status Executor::SetInputs(const NamedTensors& values) {
  for (const TensorInfo& input : inputs_) {
    if (FindTensor(values, input.name) == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no value for input `", input.name, "`"));
    }
  }
  for (const NamedTensor& value : values) {
    ASSAY_RETURN_IF_ERROR(SetInput(value.name, value.value));
  }
  return absl::OkStatus();
}

absl::Status Executor::CheckReady() const {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (!input_is_set_[i]) {
      return absl::FailedPreconditionError(
          absl::StrCat("input `", inputs_[i].name, "` has no value yet"));
    }
  }
  return absl::OkStatus();
}

absl::Status Executor::Run() {
  ASSAY_RETURN_IF_ERROR(CheckReady());
  for (const std::unique_ptr<BoundKernel>& kernel : kernels_) {
    ASSAY_RETURN_IF_ERROR(kernel->Run());
  }
  ASSAY_RETURN_IF_ERROR(device_->Synchronize());
  has_run_ = true;
  return absl::OkStatus();
}

absl::Status Executor::RunTimed(std::vector<int64_t>* kernel_nanos) {
  ASSAY_RETURN_IF_ERROR(CheckReady());
  kernel_nanos->assign(kernels_.size(), 0);
  int64_t last = MonotonicNanos();
  for (size_t i = 0; i < kernels_.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(kernels_[i]->Run());
    ASSAY_RETURN_IF_ERROR(device_->Synchronize());
    const int64_t now = MonotonicNanos();
    (*kernel_nanos)[i] = now - last;
    last = now;
  }
  has_run_ = true;
  return absl::OkStatus();
}

absl::Status Executor::RunMarked(void (*begin)(), void (*end)()) {
  ASSAY_RETURN_IF_ERROR(CheckReady());
  for (const std::unique_ptr<BoundKernel>& kernel : kernels_) {
    begin();
    const absl::Status status = kernel->Run();
    const absl::Status finished = device_->Synchronize();
    end();
    ASSAY_RETURN_IF_ERROR(status);
    ASSAY_RETURN_IF_ERROR(finished);
  }
  has_run_ = true;
  return absl::OkStatus();
}

absl::Status Executor::PoisonOutputs() {
  for (const TensorInfo& output : outputs_) {
    const BufferView view = ViewOf(output);
    const std::string ones(static_cast<size_t>(view.bytes), '\xff');
    ASSAY_RETURN_IF_ERROR(device_->CopyIn(ones.data(), view));
  }
  return absl::OkStatus();
}

absl::StatusOr<NDArray> Executor::GetOutput(absl::string_view name) const {
  ASSAY_ASSIGN_OR_RETURN(const size_t index, IndexOf(outputs_, name, "output"));
  if (!has_run_) {
    return absl::FailedPreconditionError(
        absl::StrCat("output `", name, "` has no value before the first run"));
  }
  const TensorInfo& output = outputs_[index];
  ASSAY_ASSIGN_OR_RETURN(NDArray value, CopyOut(output));
  if (output.extent < 0) return value;
  ASSAY_ASSIGN_OR_RETURN(const NDArray extent,
                         CopyOut(extents_[output.extent]));
  const int64_t count = extent.data<int64_t>()[0];
  if (count < 0 || count > output.shape[output.axis]) {
    return absl::InternalError(absl::StrCat(
        "output `", name, "` has ", count, " indices along axis ", output.axis,
        ", beyond its bound ", TypeOf(output.dtype, output.shape)));
  }
  return Prefix(value, output.axis, count);
}

absl::StatusOr<NDArray> Executor::CopyOut(const TensorInfo& tensor) const {
  NDArray value(tensor.dtype, tensor.shape);
  ASSAY_RETURN_IF_ERROR(device_->CopyOut(ViewOf(tensor), value.raw()));
  return value;
}

absl::StatusOr<NamedTensors> Executor::GetOutputs() const {
  NamedTensors values;
  for (const TensorInfo& output : outputs_) {
    ASSAY_ASSIGN_OR_RETURN(NDArray value, GetOutput(output.name));
    values.push_back({output.name, std::move(value)});
  }
  return values;
}

}  // namespace assay::runtime
