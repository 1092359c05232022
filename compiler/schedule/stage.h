// Stage: how one tensor of a Schedule is computed: its loops, where they stand
// and what memory the result lives in. Stages are owned by a Schedule and got
// from it: `Stage& s = schedule[tensor]`.
//
// A stage starts with one leaf axis per dimension of its tensor, outermost
// first, then one per reduce axis of its body. Primitives replace and reorder
// leaves; the leaves in their order are the loops that lowering makes.
//
//   auto [ow_o, ow_i] = s.Split(s.axis(3), 14);
//   s.Reorder({ow_o, s.reduce_axis(0), ow_i}).Unroll(ow_i);
//
// Each method applies one Step (steps.h; Tile applies three). An illegal use
// does not change the schedule: the first error stays in Schedule::status(),
// from then on the methods do nothing and return axes that can only be passed
// on. Lowering returns that error, so templates need no checks of their own.
// Meaning and legality of the primitives: compiler/docs/schedule.md.
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

  // The axis of dimension `i`, or of the i-th reduce axis of the body, as it
  // was before any primitive.
  const Axis& axis(int i) const;
  const Axis& reduce_axis(int i) const;
  // The leaf axes, outermost first.
  std::vector<Axis> leaves() const;

  // (outer, inner), named `x.o` and `x.i`; inner has min(factor, extent)
  // iterations.
  std::pair<Axis, Axis> Split(const Axis& axis, int64_t factor,
                              Tail tail = Tail::kGuardWithIf);
  // The same by the number of outer iterations, of which there may be fewer.
  std::pair<Axis, Axis> SplitParts(const Axis& axis, int64_t parts,
                                   Tail tail = Tail::kGuardWithIf);
  // Neighbours in the leaf list, `outer` first; named `outer.inner.f`, where
  // `outer` has lost its own `.f`.
  Axis Fuse(const Axis& outer, const Axis& inner);
  // Fuses two or more from left to right.
  Axis Fuse(const std::vector<Axis>& axes);
  // Puts the named leaves, in this order, into the places they now occupy.
  Stage& Reorder(const std::vector<Axis>& axes);
  // Splits both and reorders: {x.o, y.o, x.i, y.i}.
  std::array<Axis, 4> Tile(const Axis& x, const Axis& y, int64_t x_factor,
                           int64_t y_factor);
  Stage& Vectorize(const Axis& axis);
  Stage& Unroll(const Axis& axis);
  Stage& Parallel(const Axis& axis);
  // `vthread`, or `threadIdx` or `blockIdx` and `.x`, `.y` or `.z`.
  Stage& Bind(const Axis& axis, std::string tag);
  Stage& EnvThreads(std::vector<std::string> tags);
  Stage& StorePredicate(std::string thread, int64_t value);
  Stage& Prefetch(const te::Tensor& tensor, const Axis& axis, int64_t offset);
  // Puts the intrinsic in place of the loops from `axis` inwards.
  Stage& Tensorize(const Axis& axis,
                   std::shared_ptr<const te::TensorIntrin> intrin);
  Stage& Pragma(const Axis& axis, std::string key, int64_t value);
  // `axis` belongs to `consumer`.
  Stage& ComputeAt(const Stage& consumer, const Axis& axis);
  Stage& ComputeInline();
  // Takes back ComputeAt or ComputeInline.
  Stage& ComputeRoot();
  Stage& SetScope(expr::Scope scope);
  // Pads the buffer so that its stride along a dimension of the tensor is a
  // multiple of `factor`, plus `offset`.
  Stage& StorageAlign(const Axis& axis, int64_t factor, int64_t offset = 0);
  Stage& DoubleBuffer();
  Stage& RollingBuffer();
  // The buffer's dimensions, outermost first; each dimension of the tensor
  // occurs whole, or as quotient and remainder by one factor.
  Stage& TransformLayout(const std::vector<LayoutPart>& parts);

 private:
  friend class Schedule;
  // Whether the schedule is free of errors and `axis` is this stage's.
  bool Usable(const Axis& axis);
  void ApplyOrRecord(const Step& step);

  ScheduleState* schedule_;
  StageState state_;
};

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_STAGE_H_
