// ChooseCuts: selects the points (cuts) at which to split the range of a loop,
// so that conditions are always true or always false in the resulting parts
// (index-set splitting). Private to passes/loop_partition.
//
//   for o in [0, 4) { for i in [0, 4) { if o * 4 + i < 14 { … } } }
//
// If the range of o is cut at 3, the condition is always true in the first
// part.
//
// These comparisons are considered if they use the loop variable:
//   - int32 comparisons in conditions of IfThenElse and Select;
//   - the comparison of the operands of an int32 min or max, if the loop
//     contains no serial loop. A min or max is too cheap to justify a copy of a
//     loop nest.
// A comparison is decided in a part if the bounds of all variables prove that
// it is true, or that it is false. Candidate cuts are the points at which a
// comparison that is affine in the loop variable becomes decided or undecided.
//
// The gain of a set of cuts is the number of comparisons that it decides, where
// a comparison is counted once for each iteration of the loop in which it is
// decided. Among all sets of one or two candidates, the set with the largest
// gain is chosen.
#ifndef ASSAY_COMPILER_TIR_PASSES_LOOP_CUTS_H_
#define ASSAY_COMPILER_TIR_PASSES_LOOP_CUTS_H_

#include <cstdint>
#include <vector>

#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// `range` is the range of the variable of `loop`, and `bounds` are the bounds
// of the variables of enclosing loops and lets. Returns at most two values in
// ascending order. Each value is the first value of the loop variable in a part
// other than the first part. Returns no values if the best gain exceeds the
// gain without cuts by less than half of the number of iterations.
std::vector<int64_t> ChooseCuts(const For& loop, const ConstInterval& range,
                                const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LOOP_CUTS_H_
