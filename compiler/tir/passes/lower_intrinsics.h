// LowerIntrinsics: expands elementary intrinsics such as exp, sin and pow into
// arithmetic (elementary.h). Processors have no instructions for them, and
// kernels must not call libraries.
//
// Values that the arithmetic uses several times are stored in small local
// buffers (temporaries) before the store that needs them:
//
//   %o[i] = exp(%a[i])
//   ->
//   alloc %exp: local float32[1]
//   %exp[0] = min(max(%a[i], -104f), 89f)
//   …
//
// If an expression in an arm of a Select needs a temporary, the temporary is
// computed before the Select. If the value of the temporary contains a load or
// an integer division, the value is guarded by the condition of the Select, so
// that the load or division is still executed only if the arm is selected. In
// expressions that are not part of a store, there are no temporaries, and the
// values are computed repeatedly.
//
// Intrinsics that are not elementary (expr::IsElementary), such as sqrt and
// fma, are not expanded, because code generators implement them.
//
// The pass should run late. An earlier expansion would have no advantage,
// because the simplifier has no rules for floating-point arithmetic. It would
// have a disadvantage, because the allocations would hinder the vectorize pass.
#ifndef ASSAY_COMPILER_TIR_PASSES_LOWER_INTRINSICS_H_
#define ASSAY_COMPILER_TIR_PASSES_LOWER_INTRINSICS_H_

#include "compiler/tir/stmt.h"

namespace assay::tir {

Stmt LowerIntrinsics(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_LOWER_INTRINSICS_H_
