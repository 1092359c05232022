// HoistConditions: what a loop asks in every iteration and always answers the
// same is asked once, in front of it.
//
//   for i { if n < 4 && i < n { S } }  ->  if n < 4 { for i { if i < n { S } }
//   } for i { for j { %b[i, j] = select(n < 4, %a[j], 0f) } }
//   ->
//   if n < 4 { for i { for j { %b[i, j] = %a[j] } } }
//   else { for i { for j { %b[i, j] = 0f } } }
//
//   for i { %b[0] = %b[0] + select(n < 4, %a[i], 0f) }
//   ->
//   if n < 4 { for i { %b[0] = %b[0] + %a[i] } }
//
// Moved out are conditions, or the parts of conjunctions, that mention no
// variable of the loop and load nothing, where the IfThenElse is all that the
// loop does, or the Select all that it and the loops in it store, or add to
// what they store. An else branch that is needed twice is copied if it holds no
// more than four stores. Select leaves a vectorized or unrolled loop only
// together with a serial or parallel one around it: alone, a branch would cost
// more than it saves.
//
// Runs before loop_partition, which narrows a loop by the condition that is its
// whole body, and has fewer conditions to cut for.
#ifndef ASSAY_COMPILER_TIR_PASSES_HOIST_CONDITIONS_H_
#define ASSAY_COMPILER_TIR_PASSES_HOIST_CONDITIONS_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt HoistConditions(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_HOIST_CONDITIONS_H_
