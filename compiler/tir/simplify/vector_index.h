// Folds index arithmetic on ramps and broadcasts into a single ramp or
// broadcast, so that vector accesses are recognized as contiguous.
//
//   ramp(b, s, n) + broadcast(x, n)  -> ramp(b + x, s, n)
//   ramp(b, s, n) * broadcast(c, n)  -> ramp(b * c, s * c, n)
//   ramp(b, s, n) / broadcast(c, n)  -> broadcast(b / c, n)
//   ramp(b, s, n) % broadcast(c, n)  -> ramp(b % c, s, n)
// The last two require that all lanes have the same quotient.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_VECTOR_INDEX_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_VECTOR_INDEX_H_

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::tir {

// `kind` (Add, Sub, Mul, Div or Mod) of two int32 vectors; undefined if no rule
// applies. The result is not simplified.
expr::Expr GatherVectorIndex(expr::ExprKind kind, const expr::Expr& a,
                             const expr::Expr& b, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_VECTOR_INDEX_H_
