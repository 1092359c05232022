// Vectorize: replaces vectorized loops by vector statements.
//
//   vectorized i in [0, 8) { %a[x * 8 + i] = %b[i] * %c[0] }
//   ->
//   %a[ramp(x * 8, 1, 8)] = %b[ramp(0, 1, 8)] * broadcast(%c[0], 8)
//
// - Expressions that do not depend on the lane stay scalar: conditions, loop
//   bounds, and values until they are combined with a vector.
// - An allocation is expanded to all lanes; lane k of its element e is element
//   e * lanes + k.
// - A branch with a lane-dependent condition is versioned: if the condition is
//   affine, the vector statement runs when it holds for all lanes, and a scalar
//   loop over the lanes otherwise. This is how tails of loops are vectorized.
// - Other statements with a lane-dependent construct that has no vector form
//   (such as a loop bound) run in a serial loop over the lanes. The whole loop
//   becomes serial if all its lanes store to the same address, if it has more
//   than 64 lanes, or if it is nested in another vectorized loop.
//
// Runs after Flatten, because a vector access needs a single index. The result
// should be simplified, which combines the indices into ramps.
#ifndef ASSAY_COMPILER_TIR_PASSES_VECTORIZE_H_
#define ASSAY_COMPILER_TIR_PASSES_VECTORIZE_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt Vectorize(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_VECTORIZE_H_
