// BindCommonSubexpressions: binds index expressions that are expensive and used
// more than once, by several accesses or by the iterations of an inner loop, to
// a variable in the innermost loop they depend on (common-subexpression
// elimination combined with loop-invariant code motion).
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
// Bound are int32 quotients and remainders by constants, minima, maxima and
// products of variables, that is, the terms of linear sums. The sums themselves
// are not bound, so that code generators still see the constant part of an
// address and its strides. Expressions that contain loads are not moved, and
// floating-point ones are not bound: a vector that is live across statements
// takes a register from an accumulator.
//
// Runs last, because the simplifier does not see through let variables.
#ifndef ASSAY_COMPILER_TIR_PASSES_COMMON_SUBEXPRESSIONS_H_
#define ASSAY_COMPILER_TIR_PASSES_COMMON_SUBEXPRESSIONS_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt BindCommonSubexpressions(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_COMMON_SUBEXPRESSIONS_H_
