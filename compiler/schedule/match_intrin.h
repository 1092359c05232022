// Checks that the loops of a stage from some leaf inwards compute what a
// TensorIntrin declares.
//
// The leaves with more than one iteration correspond, in order, to the axes of
// the declaration with more than one iteration, data axes to data axes and
// reduce axes to reduce axes. Under this correspondence the body of the stage
// and the declared one must be the same expression, except for the tensors
// read, and each read must depend on exactly those loops whose axes index the
// declared read. Strides depend on the layout of buffers and are checked by
// lowering.
#ifndef ASSAY_COMPILER_SCHEDULE_MATCH_INTRIN_H_
#define ASSAY_COMPILER_SCHEDULE_MATCH_INTRIN_H_

#include <vector>

#include "absl/status/statusor.h"
#include "compiler/expr/substitute.h"
#include "compiler/schedule/axis_values.h"
#include "compiler/te/tensor_intrin.h"

namespace assay::schedule {

struct IntrinMatch {
  // The loop variable of each axis of the declaration; absent for extent 1.
  expr::VarMap<expr::Expr> loops;
  // The read of the stage's body that corresponds to each input of the
  // declaration, with indices in terms of the body's variables.
  std::vector<const expr::Read*> inputs;
  std::vector<const expr::Read*> declared;  // the reads of the declaration
};

// Matches the leaves from `position` on, with these extents. The error
// describes the first difference.
absl::StatusOr<IntrinMatch> MatchIntrin(const StageState& stage, int position,
                                        const AxisExtents& extents,
                                        const te::TensorIntrin& intrin);

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_MATCH_INTRIN_H_
