// ChooseCuts: selects the points at which to split the range of a loop so that
// conditions are decided within the parts (index-set splitting). Private to
// passes/loop_partition.
//
//   for o in [0, 4) { for i in [0, 4) { if o * 4 + i < 14 { … } } }
//
// After a cut at 3, the condition is always true in the first part.
//
// Considered are the int32 comparisons in conditions of IfThenElse and Select,
// and, if the loop contains no serial loop, min and max, which are too cheap to
// justify copies of a loop nest. Candidate cuts are the points at which such a
// comparison, affine in the loop variable, becomes decided or undecided given
// the bounds of all other variables. Of all sets of at most two cuts, the one
// that decides most comparisons, weighted by iterations, is chosen.
#ifndef ASSAY_COMPILER_TIR_PASSES_LOOP_CUTS_H_
#define ASSAY_COMPILER_TIR_PASSES_LOOP_CUTS_H_

#include <cstdint>
#include <vector>

#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// `range` is the range of the variable of `loop`, and `bounds` are those of the
// outer variables. Returns at most two values inside of the range in ascending
// order, each the first iteration of a part; none if cutting decides no
// comparison for at least half of the iterations.
std::vector<int64_t> ChooseCuts(const For& loop, const ConstInterval& range,
                                const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LOOP_CUTS_H_
