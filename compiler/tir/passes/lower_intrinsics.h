// LowerIntrinsics: expands exp, sin, pow and the like, for which processors
// have no instruction and kernels may not call a library, into the arithmetic
// of elementary.h.
//
// Values that the arithmetic uses several times are stored in small local
// buffers before the store that needs them:
//
//   %o[i] = exp(%a[i])
//   ->
//   alloc %exp: local float32[1]
//   %exp[0] = min(max(%a[i], -104f), 89f)
//   …
//
// An expression in an arm of a Select is evaluated only under its condition, so
// its temporaries are guarded by the same condition and loads remain
// conditional. Outside of stores the values are repeated instead. sqrt, floor,
// ceil, round, abs and fma are not expanded, because code generators implement
// them.
//
// Runs late: the simplifier cannot improve the result, and before vectorize the
// allocations would prevent vectorization.
#ifndef ASSAY_COMPILER_TIR_PASSES_LOWER_INTRINSICS_H_
#define ASSAY_COMPILER_TIR_PASSES_LOWER_INTRINSICS_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt LowerIntrinsics(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LOWER_INTRINSICS_H_
