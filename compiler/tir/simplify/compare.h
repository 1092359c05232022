// Comparisons of index sums, and what is known where one holds.
//
//   x * 8 + 3 < 16   -> x < 2         (divided by what divides every term)
//   x * 8 + y < z    -> x * 8 + y < z (nothing negative on either side)
//   x < x + 1        -> true
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_COMPARE_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_COMPARE_H_

#include <optional>

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::tir {

// `a kind b` for simplified scalar int32 operands; kind is EQ, NE, LT or LE.
expr::Expr CompareIndices(expr::ExprKind kind, const expr::Expr& a,
                          const expr::Expr& b, const VarBounds& bounds);

// Whether `d kind 0` for all d in the interval, for none, or neither.
std::optional<bool> DecideComparison(expr::ExprKind kind,
                                     const ConstInterval& d);

// `bounds`, narrowed by the truth (or falsehood) of `condition`: what its
// comparisons say of single variables, through conjunctions and negations.
VarBounds Assume(const expr::Expr& condition, bool holds, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_COMPARE_H_
