// Schedule: the loops, placement and storage of a DAG of tensor expressions.
// What is computed is defined in compiler/te and is not changed by a schedule.
//
//   Schedule s({out});
//   Stage& c = s[conv];
//   auto [ow_o, ow_i] = s[out].Split(s[out].axis(3), 14);
//   c.SetScope(Scope::kLocal).ComputeAt(s[out], ow_o);
//   absl::StatusOr<tir::Function> f = lower::Lower(s, "conv", inputs, {out});
//
// By default every tensor is computed at root, in topological order, in serial
// loops. A schedule prints as the list of steps that were applied; they parse
// back (ParseSteps) and can be replayed on a new Schedule of the same tensors.
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
  // `outputs` are distinct computed tensors; the schedule contains all their
  // producers.
  explicit Schedule(std::vector<te::Tensor> outputs);
  Schedule(Schedule&&) noexcept;
  Schedule& operator=(Schedule&&) noexcept;
  ~Schedule();

  // The stage of a computed tensor of this schedule; CHECK-fails for other
  // tensors. References are valid for the lifetime of the schedule.
  Stage& operator[](const te::Tensor& tensor);
  const Stage& operator[](const te::Tensor& tensor) const;
  // Returns nullptr if there is none.
  Stage* Find(absl::string_view stage_name) const;
  // Producers before consumers; includes inlined stages.
  std::vector<const Stage*> stages() const;

  // Moves the computation of `tensor`'s stage to a new stage with a tensor
  // named `x.local` or `x.global`, and turns `tensor`'s stage into a copy of
  // that tensor. Must precede other primitives on the stage.
  te::Tensor CacheWrite(const te::Tensor& tensor, expr::Scope scope);

  // Creates a stage that copies `tensor`, which may be a placeholder, to a new
  // tensor named `x.local` or `x.global`, and redirects the reads of the stages
  // of `readers` to it.
  te::Tensor CacheRead(const te::Tensor& tensor, expr::Scope scope,
                       const std::vector<te::Tensor>& readers);

  // Factors the reduce leaf `axis` out of the reduction of `tensor`'s stage: a
  // new tensor `x.rf` has one element per iteration of `axis`, as its dimension
  // `position`, and reduces over the other reduce leaves; the stage then
  // reduces `x.rf` over `axis` alone.
  te::Tensor RFactor(const te::Tensor& tensor, const Axis& axis,
                     int64_t position = 0);

  // Registers an intrinsic under its name, for steps that refer to it.
  // Registering another object with the same name is a bug.
  void AddIntrin(std::shared_ptr<const te::TensorIntrin> intrin);

  // Applies the step. If it is illegal, changes nothing and returns an error
  // that names stage and axis.
  absl::Status Apply(const Step& step);
  // Applies all steps up to the first error.
  absl::Status Replay(const std::vector<Step>& steps);

  // The first error of a method of Schedule or Stage that does not return one.
  const absl::Status& status() const;
  // status(), followed by the checks that need the complete schedule: local
  // memory is not shared between threads, parallel loops do not nest, and
  // double buffers, rolling buffers and prefetches are still attached to
  // suitable loops.
  absl::Status Validate() const;

  const std::vector<te::Tensor>& outputs() const;
  // The placeholders that the outputs depend on, in order of first use.
  std::vector<te::Tensor> inputs() const;
  const std::vector<Step>& steps() const;
  // The steps, one per line.
  std::string ToString() const;

 private:
  std::unique_ptr<ScheduleState> state_;
};

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_SCHEDULE_H_
