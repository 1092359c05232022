// InlineStages: inlines the stages between the operands of a kernel and the
// stages that its schedule template places.
//
// An inlined stage is computed once for each element and each index at which a
// reader needs it (compiler/lower/shared/shared_values.h). Hence a chain of
// elementwise operators costs nothing, however often it uses its values. If a
// value is needed at several indices, because it is transposed, shifted,
// enlarged or joined with a part of itself, each of them is computed again, and
// the indices of such values multiply along a chain. Therefore a stage is
// stored instead if
//   - its recomputation at further indices would take too many operations,
//   - the copies of its code would have too many operations,
//   - the expression of an index, or of the whole reader, would become too
//     large, or
//   - the expression of its value would have too many levels.
// Values in arms of a Select that exclude each other are not computed again:
// joining parts of a value costs code, but no time. Indices are simplified
// before they count, because most of a chain of reshapes and transposes
// cancels.
// Stages that are stored for these reasons may need the same values. Each of
// them computes the values again, which counts as well.
// A stage that depends on a stage of the template is always inlined, because
// the template decides where it is computed.
#ifndef ASSAY_COMPILER_OPS_INLINING_INLINE_STAGES_H_
#define ASSAY_COMPILER_OPS_INLINING_INLINE_STAGES_H_

#include <functional>
#include <vector>

#include "compiler/schedule/schedule.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Inlines every stage on which `output` depends, except placeholders, outputs,
// stages for which `stays` returns true, and stages to be stored. Returns the
// latter, producers first. They are at the root, and the caller must schedule
// their loops.
std::vector<te::Tensor> InlineStages(
    schedule::Schedule& s, const te::Tensor& output,
    const std::function<bool(const te::Tensor&)>& stays);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INLINING_INLINE_STAGES_H_
