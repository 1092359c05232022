// Whether the loops of a stage from some leaf inwards compute what a
// TensorIntrin declares.
//
// The leaves with more than one iteration stand, in their order, for the axes
// of the declaration with more than one, data for data and reduce for reduce.
// The stage's body and the declared one are the same expression once these are
// identified, up to what is read; each read depends on just those loops whose
// axes index the declared one. Strides are lowering's to check: they depend on
// how buffers are laid out.
#ifndef ASSAY_COMPILER_SCHEDULE_MATCH_INTRIN_H_
#define ASSAY_COMPILER_SCHEDULE_MATCH_INTRIN_H_

#include <vector>

#include "absl/status/statusor.h"
#include "compiler/expr/substitute.h"
#include "compiler/schedule/axis_values.h"
#include "compiler/te/tensor_intrin.h"

namespace assay::schedule {

struct IntrinMatch {
  // The loop of each axis of the declaration; none for extent 1.
  expr::VarMap<expr::Expr> loops;
  // What each input of the declaration stands for: a read of the stage's body,
  // its indices in terms of the body's variables.
  std::vector<const expr::Read*> inputs;
  std::vector<const expr::Read*> declared;  // the declaration's
};

// Leaves from `position` on, with these extents. The error says what the first
// difference is, not where.
absl::StatusOr<IntrinMatch> MatchIntrin(const StageState& stage, int position,
                                        const AxisExtents& extents,
                                        const te::TensorIntrin& intrin);

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_MATCH_INTRIN_H_
