// Stage: describes how one operation of a Schedule is computed: its loops,
// their placement and the memory of the result. Stages are owned by a Schedule:
// `Stage& s = schedule[tensor]`.
//
// A stage initially has one leaf axis per dimension of its tensor, outermost
// first, followed by one leaf axis per reduce axis of its body. Primitives
// replace and reorder leaves. Lowering emits one loop per leaf, in order.
//
//   auto [ow_o, ow_i] = s.Split(s.axis(3), 14);
//   s.Reorder({ow_o, s.reduce_axis(0), ow_i}).Unroll(ow_i);
//
// Each primitive method applies one Step (steps.h). The exceptions are Tile,
// which applies three steps, and Fuse of n axes, which applies n - 1 steps.
// compiler/docs/schedule.md defines the meaning of each primitive and when it
// is illegal.
//
// An illegal step does not change the schedule. Schedule::status() keeps the
// first error. After an error, all methods do nothing, and the axes that they
// return may only be passed to other methods. Lowering returns the error, so
// schedule templates need no error handling.
#ifndef ASSAY_COMPILER_SCHEDULE_STAGE_H_
#define ASSAY_COMPILER_SCHEDULE_STAGE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "compiler/expr/expr.h"
#include "compiler/schedule/stage_state.h"
#include "compiler/schedule/steps.h"
#include "compiler/te/tensor.h"

namespace assay::schedule {

struct ScheduleState;

class Stage {
 public:
  Stage(ScheduleState* schedule, StageState state)
      : schedule_(schedule), state_(std::move(state)) {}
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  const std::string& name() const { return state_.name; }
  const StageState& state() const { return state_; }
  StageState& mutable_state() { return state_; }  // for primitives only

  // Returns the original axis of dimension `i` of the tensor. The axis is not a
  // leaf any more if it was split or fused.
  const Axis& axis(int i) const;
  // Returns the original axis of the i-th reduce axis of the body. The axis is
  // not a leaf any more if it was split or fused.
  const Axis& reduce_axis(int i) const;
  // Returns the leaf axes, outermost first.
  std::vector<Axis> leaves() const;

  // Splits `axis`, named x, into the axes `x.o` (outer) and `x.i` (inner), and
  // returns them. The inner axis has min(factor, extent) iterations.
  std::pair<Axis, Axis> Split(const Axis& axis, int64_t factor,
                              Tail tail = Tail::kGuardWithIf);
  // Like Split, but `parts` is the number of outer iterations. The outer axis
  // has fewer iterations if the last ones would be empty.
  std::pair<Axis, Axis> SplitParts(const Axis& axis, int64_t parts,
                                   Tail tail = Tail::kGuardWithIf);
  // Fuses the leaf `outer` and the leaf `inner` directly inside it into one
  // axis, named `outer.inner.f`. A suffix `.f` of `outer` is dropped.
  Axis Fuse(const Axis& outer, const Axis& inner);
  // Fuses one or more adjacent leaves, listed outermost first.
  Axis Fuse(const std::vector<Axis>& axes);
  // Permutes the given leaves among the positions that they occupy. Other
  // leaves keep their positions.
  Stage& Reorder(const std::vector<Axis>& axes);
  // Splits both axes, reorders the results to {x.o, y.o, x.i, y.i}, and returns
  // them in this order.
  std::array<Axis, 4> Tile(const Axis& x, const Axis& y, int64_t x_factor,
                           int64_t y_factor);
  Stage& Vectorize(const Axis& axis);
  Stage& Unroll(const Axis& axis);
  Stage& Parallel(const Axis& axis);
  // `tag` is `vthread`, `threadIdx.d` or `blockIdx.d`, where d is x, y or z.
  Stage& Bind(const Axis& axis, std::string tag);
  Stage& EnvThreads(std::vector<std::string> tags);
  Stage& StorePredicate(std::string thread, int64_t value);
  Stage& Prefetch(const te::Tensor& tensor, const Axis& axis, int64_t offset);
  // Replaces the loop of `axis` and all loops inside it by the intrinsic.
  Stage& Tensorize(const Axis& axis,
                   std::shared_ptr<const te::TensorIntrin> intrin);
  Stage& Pragma(const Axis& axis, std::string key, int64_t value);
  // Computes this stage inside the loop of `axis`, a leaf of `consumer`.
  Stage& ComputeAt(const Stage& consumer, const Axis& axis);
  Stage& ComputeInline();
  Stage& SetScope(expr::Scope scope);
  // Pads the buffer so that its stride along `axis`, a dimension of the tensor,
  // is `k * factor + offset` for an integer k.
  Stage& StorageAlign(const Axis& axis, int64_t factor, int64_t offset = 0);
  Stage& DoubleBuffer();
  // Sets the dimensions of the buffer, outermost first. Each dimension of the
  // tensor must occur either once as a whole, or as quotient and remainder by
  // one factor.
  Stage& TransformLayout(const std::vector<LayoutPart>& parts);

 private:
  friend class Schedule;
  // Returns false if an error has been recorded. If a leaf of this stage has
  // the name of `axis` but is a different axis, records an error and returns
  // false. Otherwise returns true.
  bool Usable(const Axis& axis);
  void ApplyOrRecord(const Step& step);

  ScheduleState* schedule_;
  StageState state_;
};

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_STAGE_H_
