// LowerIntrinsics: replaces exp, sin, pow and the like, for which no processor
// has an instruction and kernels may not call a library, by the arithmetic of
// elementary.h.
//
// Values that the arithmetic uses several times go through small local buffers
// in front of the store that needs them:
//
//   %o[i] = exp(%a[i])
//   ->
//   alloc %exp: local float32[1]
//   %exp[0] = min(max(%a[i], -104f), 89f)
//   …
//
// What stands in an arm of a Select is guarded by the same condition there, so
// that it still loads only where the arm is taken. Outside stores the values
// are repeated instead. sqrt, floor, ceil, round, abs and fma stay:
// code generators know them.
//
// Runs last: the simplifier has nothing to find in the result, and before
// vectorize there would be allocations in the way.
#ifndef ASSAY_COMPILER_TIR_PASSES_LOWER_INTRINSICS_H_
#define ASSAY_COMPILER_TIR_PASSES_LOWER_INTRINSICS_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt LowerIntrinsics(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LOWER_INTRINSICS_H_
