// BindCommonSubexpressions: index arithmetic that costs something and is needed
// again, by another access or by another iteration of a loop inside, is
// computed once per iteration of the loop it depends on and gets a name.
//
//   parallel f in [0, 448) {
//     for k in [0, 3) { %b[f / 56 * 64 + f % 56] = %a[f % 56 + k] }
//   }
//   ->
//   parallel f in [0, 448) {
//     let t0 = f / 56
//     let t1 = f % 56
//     for k in [0, 3) { %b[t0 * 64 + t1] = %a[t1 + k] }
//   }
//
// Named are int32 quotients and remainders by constants, minima, maxima and
// products of variables: what stands in a sum as one term. Sums stay spelt out,
// so that code generators still see which part of an address is constant and
// which loop moves it. Values with loads in them stay where they are, and so do
// floating-point ones: a vector that lives across statements takes a register
// from an accumulator.
//
// Runs last: the simplifier sees no further than a name.
#ifndef ASSAY_COMPILER_TIR_PASSES_COMMON_SUBEXPRESSIONS_H_
#define ASSAY_COMPILER_TIR_PASSES_COMMON_SUBEXPRESSIONS_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt BindCommonSubexpressions(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_COMMON_SUBEXPRESSIONS_H_
