// Unroll: replaces unrolled loops by copies of their bodies with constant
// values of the loop variable.
//
//   unrolled i in [0, 2) { %a[i] = 0f }  ->  %a[0] = 0f; %a[1] = 0f
//
// This gives the accumulators of a register tile constant addresses.
//
// Inside a pragma `auto_unroll_max_step n`, serial loops of constant extent are
// unrolled as well, innermost first, as long as the result of each has at most
// n stores. The pragma is removed; an inner pragma overrides an outer one.
//
// Inside a pragma `unroll_factor n`, the next serial loop is unrolled by n,
// followed by a remainder loop:
//
//   for k in [0, 7) { S }
//   -> for k.u in [0, 3) { S with k = k.u * 2; S with k = k.u * 2 + 1 }
//      S with k = 6
//
// A loop that would expand to more than 4096 stores becomes serial instead,
// because the code would exceed every instruction cache.
#ifndef ASSAY_COMPILER_TIR_PASSES_UNROLL_H_
#define ASSAY_COMPILER_TIR_PASSES_UNROLL_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt Unroll(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_UNROLL_H_
