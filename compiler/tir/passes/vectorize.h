// Vectorize: replaces vectorized loops by vector statements.
//
//   vectorized i in [0, 8) { %a[x * 8 + i] = %b[i] * %c[0] }
//   ->
//   %a[ramp(x * 8, 1, 8)] = %b[ramp(0, 1, 8)] * broadcast(%c[0], 8)
//
// Each iteration of the loop becomes one lane.
// - Expressions that do not depend on the lane stay scalar, for example
//   conditions and loop bounds. A scalar value is broadcast to all lanes only
//   where a vector is needed.
// - An allocation inside the loop is expanded to all lanes. Element e in lane k
//   becomes element e * lanes + k of the expanded buffer.
// - An IfThenElse with a lane-dependent condition is versioned if the condition
//   is a conjunction of comparisons (`<`, `<=`) that are affine in the loop
//   variable. The vector statement runs if the condition holds for all lanes;
//   otherwise a serial loop over the lanes runs. This vectorizes loops with
//   tails.
// - All other statements with a lane-dependent condition or loop bound run in a
//   serial loop over the lanes.
// - The vectorized loop itself becomes serial if all its lanes store to one
//   address, if it has more than 128 lanes, or if it is nested in another
//   vectorized loop.
//
// The pass must run after Flatten, because a vector access needs a single
// index. The result should be simplified, so that each index becomes a single
// ramp where possible.
#ifndef ASSAY_COMPILER_TIR_PASSES_VECTORIZE_H_
#define ASSAY_COMPILER_TIR_PASSES_VECTORIZE_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt Vectorize(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_VECTORIZE_H_
