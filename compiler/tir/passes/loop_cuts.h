// ChooseCuts: where to cut a loop so that its parts need not ask what the whole
// has to ask in every iteration. Private to passes/loop_partition.
//
//   for o in [0, 4) { for i in [0, 4) { if o * 4 + i < 14 { … } } }
//
// Cut at 3, the first part knows that the condition holds, whatever i is.
//
// Asked are the comparisons of int32 in the conditions of IfThenElse and
// Select, and, where no serial loop is inside, min and max, which cost too
// little to be worth copies of a loop nest. A place to cut is where such a
// comparison, affine in the loop's variable, changes from open to decided or
// back, given the bounds of all other variables. Of the sets of at most two
// cuts the one is chosen that decides most, counted in iterations.
#ifndef ASSAY_COMPILER_TIR_PASSES_LOOP_CUTS_H_
#define ASSAY_COMPILER_TIR_PASSES_LOOP_CUTS_H_

#include <cstdint>
#include <vector>

#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// `range` is what the variable of `loop` runs through and `bounds` are those of
// the variables around it. At most two values inside the range, each the first
// of a part, in order; none where cutting would decide nothing for at least
// half of the iterations.
std::vector<int64_t> ChooseCuts(const For& loop, const ConstInterval& range,
                                const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LOOP_CUTS_H_
