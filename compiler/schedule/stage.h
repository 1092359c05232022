// Stage: how one operation of a Schedule is computed: its loops, their
// placement and the memory of the result. Stages are owned by a Schedule:
// `Stage& s = schedule[tensor]`.
//
// A stage initially has one leaf axis per dimension of its tensor, outermost
// first, followed by one per reduce axis of its body. Primitives replace and
// reorder leaves; the leaves, in order, become the loops.
//
//   auto [ow_o, ow_i] = s.Split(s.axis(3), 14);
//   s.Reorder({ow_o, s.reduce_axis(0), ow_i}).Unroll(ow_i);
//
// Each method applies one Step (steps.h; Tile applies three). An illegal step
// does not change the schedule: the first error is kept in Schedule::status(),
// and from then on the methods do nothing and return axes that may only be
// passed to other methods. Lowering returns that error, so templates need no
// error handling. Meaning and legality of the primitives:
// compiler/docs/schedule.md.
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

  // The original axis of dimension `i`, or of the i-th reduce axis of the body.
  const Axis& axis(int i) const;
  const Axis& reduce_axis(int i) const;
  // The leaf axes, outermost first.
  std::vector<Axis> leaves() const;

  // Returns (outer, inner), named `x.o` and `x.i`; inner has min(factor,
  // extent) iterations.
  std::pair<Axis, Axis> Split(const Axis& axis, int64_t factor,
                              Tail tail = Tail::kGuardWithIf);
  // The same with the number of outer iterations given; there may be fewer.
  std::pair<Axis, Axis> SplitParts(const Axis& axis, int64_t parts,
                                   Tail tail = Tail::kGuardWithIf);
  // Fuses adjacent leaves, `outer` first, into `outer.inner.f`; a suffix `.f`
  // of `outer` is dropped.
  Axis Fuse(const Axis& outer, const Axis& inner);
  // Fuses one or more axes from left to right.
  Axis Fuse(const std::vector<Axis>& axes);
  // Permutes the given leaves among the positions that they occupy.
  Stage& Reorder(const std::vector<Axis>& axes);
  // Splits both axes and reorders: {x.o, y.o, x.i, y.i}.
  std::array<Axis, 4> Tile(const Axis& x, const Axis& y, int64_t x_factor,
                           int64_t y_factor);
  Stage& Vectorize(const Axis& axis);
  Stage& Unroll(const Axis& axis);
  Stage& Parallel(const Axis& axis);
  // Tags: `vthread`, or `threadIdx` or `blockIdx` with `.x`, `.y` or `.z`.
  Stage& Bind(const Axis& axis, std::string tag);
  Stage& EnvThreads(std::vector<std::string> tags);
  Stage& StorePredicate(std::string thread, int64_t value);
  Stage& Prefetch(const te::Tensor& tensor, const Axis& axis, int64_t offset);
  // Replaces the loops from `axis` inwards by the intrinsic.
  Stage& Tensorize(const Axis& axis,
                   std::shared_ptr<const te::TensorIntrin> intrin);
  Stage& Pragma(const Axis& axis, std::string key, int64_t value);
  // `axis` is a leaf of `consumer`.
  Stage& ComputeAt(const Stage& consumer, const Axis& axis);
  Stage& ComputeInline();
  // Reverts ComputeAt or ComputeInline.
  Stage& ComputeRoot();
  Stage& SetScope(expr::Scope scope);
  // Pads the buffer so that its stride along a dimension of the tensor is
  // `offset` more than a multiple of `factor`.
  Stage& StorageAlign(const Axis& axis, int64_t factor, int64_t offset = 0);
  Stage& DoubleBuffer();
  Stage& RollingBuffer();
  // The dimensions of the buffer, outermost first. Each dimension of the tensor
  // occurs either whole, or as quotient and remainder by one factor.
  Stage& TransformLayout(const std::vector<LayoutPart>& parts);

 private:
  friend class Schedule;
  // Returns true if there is no error so far and `axis` belongs to this stage;
  // records an error in the second case.
  bool Usable(const Axis& axis);
  void ApplyOrRecord(const Step& step);

  ScheduleState* schedule_;
  StageState state_;
};

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_STAGE_H_
