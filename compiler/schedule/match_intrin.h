// MatchIntrin: checks that the innermost loops of a stage compute what a
// TensorIntrin declares (TensorIntrin::compute).
//
// Loops and declared axes of extent 1 are ignored. Of the remaining ones, the
// i-th data loop corresponds to the i-th declared data axis, and the i-th
// reduce loop corresponds to the i-th declared reduce axis. The numbers of
// loops and axes of each kind must be equal, and so must the extents of each
// loop and the corresponding axis. In addition, the following must hold:
//
// - The body of the stage and the declared body are the same expression, except
//   for the tensors that they read and the indices of these reads.
// - Each read of the body depends on a loop if and only if the corresponding
//   declared read depends on the corresponding axis.
// - No guard skips iterations of these loops.
//
// MatchIntrin does not check strides, because they depend on the layout of the
// buffers. Lowering checks them.
#ifndef ASSAY_COMPILER_SCHEDULE_MATCH_INTRIN_H_
#define ASSAY_COMPILER_SCHEDULE_MATCH_INTRIN_H_

#include <vector>

#include "absl/status/statusor.h"
#include "compiler/expr/substitute.h"
#include "compiler/schedule/axis_values.h"
#include "compiler/te/tensor_intrin.h"

namespace assay::schedule {

struct IntrinMatch {
  // The loop variable for each declared axis whose extent is not 1.
  expr::VarMap<expr::Expr> loops;
  // The reads of the body of the stage, in the order of `declared`. Their
  // indices contain the axis variables of the tensor expression, not the loop
  // variables of the stage.
  std::vector<const expr::Read*> inputs;
  // The reads of the declared body; declared[i] corresponds to inputs[i].
  std::vector<const expr::Read*> declared;
};

// Matches the leaves of `stage` from index `position` inwards with `intrin`.
// `extents` are the extents of the axes of the stage. Returns InvalidArgument,
// with a description of the first difference, if they do not match.
absl::StatusOr<IntrinMatch> MatchIntrin(const StageState& stage, int position,
                                        const AxisExtents& extents,
                                        const te::TensorIntrin& intrin);

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_MATCH_INTRIN_H_
