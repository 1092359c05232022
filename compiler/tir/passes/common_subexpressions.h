// BindCommonSubexpressions: introduces let variables for expensive index
// expressions that are used more than once. This combines common-subexpression
// elimination with loop-invariant code motion.
//
// The let is placed at the start of the body of the innermost loop (or let)
// whose variable the expression uses. The expression counts as used more than
// once if it occurs several times in this body, or if it occurs in a loop that
// is inside this body.
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
// The pass binds int32 expressions of these forms:
//   - quotients and remainders by positive constants,
//   - min and max,
//   - products of two expressions that are not constants.
// Sums are not bound, so that code generators still see the strides and the
// constant part of an address. Expressions that contain loads are not bound.
// Floating-point expressions are not bound either, because a vector that is
// live across statements occupies a register that an accumulator may need.
//
// Must be the last pass, because let variables hide the structure of an
// expression from other passes.
#ifndef ASSAY_COMPILER_TIR_PASSES_COMMON_SUBEXPRESSIONS_H_
#define ASSAY_COMPILER_TIR_PASSES_COMMON_SUBEXPRESSIONS_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt BindCommonSubexpressions(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_COMMON_SUBEXPRESSIONS_H_
