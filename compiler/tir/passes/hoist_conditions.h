// HoistConditions: moves loop-invariant conditions out of loops (loop
// unswitching).
//
//   for i { if n < 4 && i < n { S } }
//   ->
//   if n < 4 { for i { if i < n { S } } }
//
//   for i { for j { %b[i, j] = select(n < 4, %a[j], 0f) } }
//   ->
//   if n < 4 { for i { for j { %b[i, j] = %a[j] } } }
//   else { for i { for j { %b[i, j] = 0f } } }
//
//   for i { %b[0] = %b[0] + select(n < 4, %a[i], 0f) }
//   ->
//   if n < 4 { for i { %b[0] = %b[0] + %a[i] } }
//
// A condition, or an operand of a conjunction, is hoisted out of a loop if it
// uses no variable of the loop, contains no loads, and belongs to one of these:
//   - An IfThenElse that is the whole body of the loop. If only some operands
//     of its condition are hoisted, the else branch is copied. In this case,
//     the else branch must have at most four stores.
//   - A Select in a perfect loop nest. The body of the nest must be a single
//     store, either of the Select itself or of the old value of the stored
//     element plus the Select. If such a sum is stored, the arm of the Select
//     for a false condition must be 0. The condition is hoisted out of the
//     whole nest, whose outermost loop must be serial or parallel. Hoisting it
//     out of a vectorized or unrolled loop alone would cost more than it saves.
//
// The pass must run before loop_partition, so that fewer conditions remain in
// the loops that loop_partition splits or narrows.
#ifndef ASSAY_COMPILER_TIR_PASSES_HOIST_CONDITIONS_H_
#define ASSAY_COMPILER_TIR_PASSES_HOIST_CONDITIONS_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt HoistConditions(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_HOIST_CONDITIONS_H_
