// Unroll: unrolled loops become their bodies, one after the other, with the
// variable replaced by its value.
//
//   unrolled i in [0, 2) { %a[i] = 0f }  ->  %a[0] = 0f; %a[1] = 0f
//
// This is what gives the accumulators of a register tile constant addresses.
//
// Below a pragma `auto_unroll_max_step n` serial loops of constant extent are
// unrolled too, innermost first, as long as what becomes of each holds at most
// n stores. The pragma goes; an inner one overrides an outer one.
//
// Below a pragma `unroll_factor n` the next serial loop runs n iterations in
// each turn, one after the other, and a loop over what is left follows:
//
//   for k in [0, 7) { S }
//   -> for k.u in [0, 3) { S with k = k.u * 2; S with k = k.u * 2 + 1 }
//      S with k = 6
//
// A loop that would become more than 4096 stores becomes serial instead: no
// instruction cache holds that.
#ifndef ASSAY_COMPILER_TIR_PASSES_UNROLL_H_
#define ASSAY_COMPILER_TIR_PASSES_UNROLL_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt Unroll(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_UNROLL_H_
