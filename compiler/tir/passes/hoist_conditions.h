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
// Hoisted are conditions, or operands of conjunctions, that use no variable of
// the loop and contain no loads, if the IfThenElse is the whole body of the
// loop, or if the Select is the whole value that a perfect loop nest stores or
// accumulates. An else branch that is needed twice is copied if it has at most
// four stores. A Select is hoisted out of a vectorized or unrolled loop only
// together with an enclosing serial or parallel loop: otherwise the branch
// would cost more than it saves.
//
// Runs before loop_partition, which narrows a loop by a condition that is its
// whole body, and which then has fewer conditions to consider.
#ifndef ASSAY_COMPILER_TIR_PASSES_HOIST_CONDITIONS_H_
#define ASSAY_COMPILER_TIR_PASSES_HOIST_CONDITIONS_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt HoistConditions(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_HOIST_CONDITIONS_H_
