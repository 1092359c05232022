// Index arithmetic on vectors: an operation on ramps and broadcasts as one
// ramp or broadcast, which is what makes a vector access contiguous.
//
//   ramp(b, s, n) + broadcast(x, n)  -> ramp(b + x, s, n)
//   ramp(b, s, n) * broadcast(c, n)  -> ramp(b * c, s * c, n)
//   ramp(b, s, n) / broadcast(c, n)  -> broadcast(b / c, n)
//   ramp(b, s, n) % broadcast(c, n)  -> ramp(b % c, s, n)
// the last two where all lanes have the same quotient.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_VECTOR_INDEX_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_VECTOR_INDEX_H_

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::tir {

// `kind` (Add, Sub, Mul, Div or Mod) of two int32 vectors; undefined where no
// rule applies. The result is not simplified.
expr::Expr GatherVectorIndex(expr::ExprKind kind, const expr::Expr& a,
                             const expr::Expr& b, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_VECTOR_INDEX_H_
