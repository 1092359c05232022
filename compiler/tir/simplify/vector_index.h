// GatherVectorIndex: combines index arithmetic on ramps and broadcasts into a
// single ramp or broadcast, so that vector accesses are recognized as
// contiguous.
//
//   ramp(b, s, n) + broadcast(x, n)  -> ramp(b + x, s, n)
//   ramp(b, s, n) * broadcast(c, n)  -> ramp(b * c, s * c, n)
//   ramp(b, s, n) / broadcast(c, n)  -> broadcast(b / c, n)
//   ramp(b, s, n) % broadcast(c, n)  -> ramp(b % c, s, n)
//
// Here b is the base, s is the stride and n is the number of lanes. The last
// two rules require that c is a positive constant, and that the quotient of the
// ramp and c is the same in all lanes.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_VECTOR_INDEX_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_VECTOR_INDEX_H_

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::tir {

// Returns the combined form of `a kind b`, or an undefined Expr if no rule
// applies. `kind` must be kAdd, kSub, kMul, kDiv or kMod; `a` and `b` must be
// int32 vectors. The result is not simplified.
expr::Expr GatherVectorIndex(expr::ExprKind kind, const expr::Expr& a,
                             const expr::Expr& b, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_VECTOR_INDEX_H_
