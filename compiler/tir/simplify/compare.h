// Comparisons of linear index expressions, and the facts they imply.
//
//   x * 8 + 3 < 16   -> x < 2         (divided by the gcd of the coefficients)
//   x * 8 + y < z    -> x * 8 + y < z (negative terms move to the other side)
//   x < x + 1        -> true
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_COMPARE_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_COMPARE_H_

#include <optional>

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::tir {

// Simplifies `a kind b`; a and b are simplified scalar int32 expressions, and
// kind is EQ, NE, LT or LE.
expr::Expr CompareIndices(expr::ExprKind kind, const expr::Expr& a,
                          const expr::Expr& b, const VarBounds& bounds);

// Returns true if `d kind 0` holds for all d in the interval, false if it holds
// for none, and nullopt otherwise.
std::optional<bool> DecideComparison(expr::ExprKind kind,
                                     const ConstInterval& d);

// Returns `bounds` narrowed by the assumption that `condition` is true (or
// false): applies all comparisons that constrain single variables, through
// conjunctions and negations.
VarBounds Assume(const expr::Expr& condition, bool holds,
                 const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_COMPARE_H_
