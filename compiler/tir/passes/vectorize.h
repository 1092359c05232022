// Vectorize: vectorized loops become vector expressions.
//
//   vectorized i in [0, 8) { %a[x * 8 + i] = %b[i] * %c[0] }
//   ->
//   %a[ramp(x * 8, 1, 8)] = %b[ramp(0, 1, 8)] * broadcast(%c[0], 8)
//
// A body that cannot be a vector statement runs lane by lane in a serial loop
// instead: one with a branch or a loop bound that depends on the lane, or with
// an allocation. Serial and unrolled loops inside a vectorized one stay around
// the vector statements.
//
// Runs after Flatten (a vector is one run of flat addresses), and wants its
// result simplified, which is what makes the ramps.
#ifndef ASSAY_COMPILER_TIR_PASSES_VECTORIZE_H_
#define ASSAY_COMPILER_TIR_PASSES_VECTORIZE_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt Vectorize(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_VECTORIZE_H_
