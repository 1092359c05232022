// Schedule: how a DAG of tensor expressions is computed. What is computed is
// the business of compiler/te and never changes here.
//
//   Schedule s({out});
//   Stage& c = s[conv];
//   auto [ow_o, ow_i] = s[out].Split(s[out].axis(3), 14);
//   c.SetScope(Scope::kLocal).ComputeAt(s[out], ow_o);
//   absl::StatusOr<tir::Function> f = lower::Lower(s, "conv", inputs, {out});
//
// Without primitives every tensor is computed at the root, one after the other,
// in plain loops. A schedule prints as the steps that made it; those parse back
// (ParseSteps) and replay on a fresh Schedule of the same tensors.
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
  // `outputs` are distinct computes; the schedule holds all that they need.
  explicit Schedule(std::vector<te::Tensor> outputs);
  Schedule(Schedule&&) noexcept;
  Schedule& operator=(Schedule&&) noexcept;
  ~Schedule();

  // The stage of a compute of this schedule; anything else is a bug.
  // References stay valid as long as the schedule lives.
  Stage& operator[](const te::Tensor& tensor);
  const Stage& operator[](const te::Tensor& tensor) const;
  // nullptr if there is none.
  Stage* Find(absl::string_view stage_name) const;
  // Producers before consumers; inlined stages are among them.
  std::vector<const Stage*> stages() const;

  // Makes a stage that computes what `tensor`'s stage computed, into a tensor
  // of its own named `x.local` or `x.global`, and turns `tensor`'s stage into a
  // copy of that. Must come before other primitives on the stage.
  te::Tensor CacheWrite(const te::Tensor& tensor, expr::Scope scope);

  // Makes a stage that copies `tensor`, a stage's or a placeholder, into a
  // tensor of its own named `x.local` or `x.global`, which the stages of
  // `readers` read from then on.
  te::Tensor CacheRead(const te::Tensor& tensor, expr::Scope scope,
                       const std::vector<te::Tensor>& readers);

  // Takes the leaf `axis` out of the reduction of `tensor`'s stage: a new
  // tensor `x.rf` reduces over the stage's other reduce leaves only and has one
  // element for each iteration of `axis`, as its dimension `position`; the
  // stage then reduces `x.rf` over `axis` alone.
  te::Tensor RFactor(const te::Tensor& tensor, const Axis& axis,
                     int64_t position = 0);

  // Makes an intrinsic known by its name, for steps that name it. Its pointer
  // says which it is: two of one name are a bug.
  void AddIntrin(std::shared_ptr<const te::TensorIntrin> intrin);

  // Applies the step, or changes nothing and returns why it is illegal, naming
  // stage and axis.
  absl::Status Apply(const Step& step);
  // Applies all, up to the first error.
  absl::Status Replay(const std::vector<Step>& steps);

  // The first error that a convenience method met.
  const absl::Status& status() const;
  // status(), then what can only be judged when the schedule is complete: that
  // local memory is not shared between threads, that parallel loops do not
  // nest, and that double and rolling buffers and prefetches are still where
  // they can work.
  absl::Status Validate() const;

  const std::vector<te::Tensor>& outputs() const;
  // The placeholders that the outputs need, in order of first use.
  std::vector<te::Tensor> inputs() const;
  const std::vector<Step>& steps() const;
  // The steps, one a line.
  std::string ToString() const;

 private:
  std::unique_ptr<ScheduleState> state_;
};

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_SCHEDULE_H_
