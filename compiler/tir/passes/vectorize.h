// Vectorize: vectorized loops become vector statements.
//
//   vectorized i in [0, 8) { %a[x * 8 + i] = %b[i] * %c[0] }
//   ->
//   %a[ramp(x * 8, 1, 8)] = %b[ramp(0, 1, 8)] * broadcast(%c[0], 8)
//
// - What does not depend on the lane stays scalar: conditions, loop bounds, and
//   values until they meet a vector.
// - An allocation gets room for every lane; lane k of its element e is element
//   e * lanes + k.
// - A branch that depends on the lane is taken apart: where an affine condition
//   holds for all lanes the vector statement runs, else each lane by itself.
//   That is what tails of loops become.
// - Other statements that depend on the lane in a way vectors cannot (a loop
//   bound) run in a serial loop over the lanes. So does the whole loop where it
//   stores to one address from all lanes, has more than 64 lanes, or stands
//   inside another vectorized loop.
//
// Runs after Flatten (a vector is one run of flat addresses), and wants its
// result simplified, which is what gathers the indices into ramps.
#ifndef ASSAY_COMPILER_TIR_PASSES_VECTORIZE_H_
#define ASSAY_COMPILER_TIR_PASSES_VECTORIZE_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt Vectorize(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_VECTORIZE_H_
