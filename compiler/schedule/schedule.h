// Schedule: defines loops, placement and storage for a DAG of tensor
// expressions (compiler/te). A schedule does not change what is computed.
//
//   Schedule s({out});
//   Stage& c = s[conv];
//   auto [ow_o, ow_i] = s[out].Split(s[out].axis(3), 14);
//   c.SetScope(Scope::kLocal).ComputeAt(s[out], ow_o);
//   absl::StatusOr<tir::Function> f = lower::Lower(s, "conv", inputs, {out});
//
// By default, every tensor is computed in serial loops at root, that is,
// outside the loops of all other tensors. Producers are computed before
// consumers.
//
// A schedule is printed as the list of its applied steps. The list can be
// parsed (ParseSteps) and replayed on a new Schedule of the same tensors.
#ifndef ASSAY_COMPILER_SCHEDULE_SCHEDULE_H_
#define ASSAY_COMPILER_SCHEDULE_SCHEDULE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "compiler/schedule/stage.h"
#include "compiler/schedule/steps.h"
#include "compiler/te/tensor.h"

namespace assay::schedule {

class Schedule {
 public:
  // `outputs` must be distinct tensors that are computed (not placeholders).
  // The schedule contains stages for the outputs and all their producers.
  explicit Schedule(std::vector<te::Tensor> outputs);
  Schedule(Schedule&&) noexcept;
  Schedule& operator=(Schedule&&) noexcept;
  ~Schedule();

  // Returns the stage that computes `tensor`. CHECK-fails if this schedule has
  // no such stage. The reference is valid for the lifetime of the schedule.
  Stage& operator[](const te::Tensor& tensor);
  const Stage& operator[](const te::Tensor& tensor) const;
  // Returns the stage called `stage_name`, or nullptr if there is none.
  Stage* Find(absl::string_view stage_name) const;
  // Returns all stages, including inlined ones, producers before consumers.
  std::vector<const Stage*> stages() const;

  // Moves the computation of the stage `x` of `tensor` to a new stage named
  // `x.local` or `x.global`, depending on `scope`. Stage `x` then only copies
  // the tensor of the new stage. Returns the new tensor. Must be applied before
  // all other primitives on stage `x`.
  te::Tensor CacheWrite(const te::Tensor& tensor, expr::Scope scope);

  // Creates a stage that copies `tensor` to a new tensor. If x is the name of
  // `tensor`, the new tensor is named `x.local` or `x.global`, depending on
  // `scope`. In the stages of `readers`, reads of `tensor` become reads of the
  // new tensor. Returns the new tensor. `tensor` may be a placeholder.
  te::Tensor CacheRead(const te::Tensor& tensor, expr::Scope scope,
                       const std::vector<te::Tensor>& readers);

  // Splits the reduction of the stage `x` of `tensor` into two stages:
  //   - In the new stage `x.rf`, the leaf `axis` (stage.h), which is a reduce
  //     axis, becomes the data axis of dimension `position`. `x.rf` reduces
  //     over all other reduce leaves.
  //   - Stage `x` then reduces the tensor of `x.rf` over this dimension only.
  // Returns the tensor of `x.rf`.
  te::Tensor RFactor(const te::Tensor& tensor, const Axis& axis,
                     int64_t position = 0);

  // Registers an intrinsic under its name, so that steps can refer to it.
  // CHECK-fails if a different object with the same name is registered.
  void AddIntrin(std::shared_ptr<const te::TensorIntrin> intrin);

  // Applies the step. If the step is illegal, changes nothing and returns
  // InvalidArgument with the text of the step and the reason.
  absl::Status Apply(const Step& step);
  // Applies `steps` in order. Stops at the first illegal step and returns its
  // error.
  absl::Status Replay(const std::vector<Step>& steps);

  // Primitives that do not return a Status record their error in the schedule.
  // Returns the first such error, or OK if there was none.
  const absl::Status& status() const;
  // Returns status() if it is an error. Otherwise checks the complete schedule,
  // and returns an error unless:
  //   - every stage with compute_at is inside a loop that encloses its readers;
  //   - local memory is not shared between threads;
  //   - parallel loops are not nested;
  //   - the loops of double buffers and prefetches still meet
  //     the conditions of these primitives (compiler/docs/schedule.md).
  absl::Status Validate() const;

  const std::vector<te::Tensor>& outputs() const;
  // Returns the placeholders on which the outputs depend, in the order of
  // te::TopologicalOrder.
  std::vector<te::Tensor> inputs() const;
  const std::vector<Step>& steps() const;
  // Returns the text of the applied steps, one per line.
  std::string ToString() const;

 private:
  std::unique_ptr<ScheduleState> state_;
};

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_SCHEDULE_H_
