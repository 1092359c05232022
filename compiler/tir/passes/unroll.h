// Unroll: replaces unrolled loops by copies of their bodies, one per value of
// the loop variable.
//
//   unrolled i in [0, 2) { %a[i] = 0f }  ->  %a[0] = 0f; %a[1] = 0f
//
// As a result, the accumulators of a register tile have constant addresses.
//
// Inside a pragma `auto_unroll_max_step n`, serial loops of constant extent are
// unrolled as well, innermost first. A loop is unrolled only if its result has
// at most n stores. If such pragmas are nested, the innermost one applies.
//
// A pragma `unroll_factor n` applies to the outermost loop inside it. If this
// loop is serial, each iteration of the new loop executes n iterations of the
// original loop. A second loop executes the remaining iterations. For example,
// for n = 2 (after simplification, which replaces the second loop by its only
// iteration):
//
//   for k in [0, 7) { S }
//   -> for k.u in [0, 3) { S with k = k.u * 2; S with k = k.u * 2 + 1 }
//      S with k = 6
//
// Both pragmas are removed. An unrolled loop that would expand to more than
// 4096 stores becomes serial, because the code would exceed every instruction
// cache. For the same reason, a pragma `unroll_factor n` is ignored if n copies
// of the loop body would have more than 4096 stores.
#ifndef ASSAY_COMPILER_TIR_PASSES_UNROLL_H_
#define ASSAY_COMPILER_TIR_PASSES_UNROLL_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt Unroll(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_UNROLL_H_
