#include "compiler/lower/lower.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/lower/bound_inference.h"
#include "compiler/lower/loop_nest.h"
#include "compiler/lower/virtual_threads.h"
#include "compiler/tir/simplify/simplify.h"
#include "runtime/base/status_macros.h"

namespace assay::lower {
namespace {

using te::Tensor;

absl::Status Misfit(const std::string& function, const Tensor& tensor,
                    absl::string_view reason) {
  return absl::InvalidArgumentError(absl::StrCat(
      "function `", function, "`: tensor `", tensor.name(), "` ", reason));
}

bool Contains(const std::vector<Tensor>& tensors, const Tensor& tensor) {
  for (const Tensor& other : tensors) {
    if (other.same_as(tensor)) return true;
  }
  return false;
}

absl::Status CheckParameters(const schedule::Schedule& schedule,
                             const std::string& name,
                             const std::vector<Tensor>& inputs,
                             const std::vector<Tensor>& outputs) {
  for (const Tensor& input : inputs) {
    if (!input.is_placeholder()) {
      return Misfit(name, input, "is an input but not a placeholder");
    }
  }
  for (const Tensor& read : schedule.inputs()) {
    if (!Contains(inputs, read)) {
      return Misfit(name, read, "is read but not among the inputs");
    }
  }
  for (const Tensor& output : outputs) {
    if (!Contains(schedule.outputs(), output)) {
      return Misfit(name, output, "is not an output of the schedule");
    }
  }
  for (const Tensor& output : schedule.outputs()) {
    if (!Contains(outputs, output)) {
      return Misfit(name, output, "is missing among the outputs");
    }
  }
  return absl::OkStatus();
}

// Adds a parameter for each tensor; fails if a tensor is listed twice.
absl::Status AddParameters(const std::string& name,
                           const std::vector<Tensor>& tensors,
                           BufferMap& buffers,
                           std::vector<expr::Buffer>& parameters) {
  for (const Tensor& tensor : tensors) {
    parameters.push_back(
        expr::MakeBuffer(tensor.name(), tensor.dtype(), tensor.shape()));
    if (!buffers.emplace(tensor.get(), parameters.back()).second) {
      return Misfit(name, tensor, "is listed twice as a parameter");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<tir::Function> Lower(const schedule::Schedule& schedule,
                                    std::string name,
                                    const std::vector<Tensor>& inputs,
                                    const std::vector<Tensor>& outputs) {
  ASSAY_RETURN_IF_ERROR(schedule.Validate());
  ASSAY_RETURN_IF_ERROR(CheckParameters(schedule, name, inputs, outputs));
  tir::Function function;
  BufferMap buffers;
  ASSAY_RETURN_IF_ERROR(AddParameters(name, inputs, buffers, function.inputs));
  ASSAY_RETURN_IF_ERROR(
      AddParameters(name, outputs, buffers, function.outputs));
  ASSAY_ASSIGN_OR_RETURN(const ScheduleBounds bounds, InferBounds(schedule));
  function.name = std::move(name);
  ASSAY_ASSIGN_OR_RETURN(const tir::Stmt loops,
                         MakeLoopNest(schedule, bounds, buffers));
  function.body = tir::Simplify(InjectVirtualThreads(loops));
  return function;
}

}  // namespace assay::lower
