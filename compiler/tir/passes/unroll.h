// Unroll: unrolled loops become their bodies, one after the other, with the
// variable replaced by its value.
//
//   unrolled i in [0, 2) { %a[i] = 0f }  ->  %a[0] = 0f; %a[1] = 0f
//
// This is what gives the accumulators of a register tile constant addresses.
// A body with an allocation is not copied: its loop becomes serial.
#ifndef ASSAY_COMPILER_TIR_PASSES_UNROLL_H_
#define ASSAY_COMPILER_TIR_PASSES_UNROLL_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt Unroll(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_UNROLL_H_
