// Simplifies comparisons of linear index expressions, and derives bounds of
// variables from comparisons.
//
//   x * 8 + 3 < 16     -> x < 2          (divided by the gcd of coefficients)
//   x * 8 - z + y < 0  -> x * 8 + y < z  (negative terms change sides)
//   x < x + 1          -> true
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_COMPARE_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_COMPARE_H_

#include <optional>

#include "compiler/expr/expr.h"
#include "compiler/tir/simplify/bounds.h"

namespace assay::tir {

// Returns bounds of a - b in the integers, where `a` and `b` are scalar int32
// expressions. If both are exact (exact.h), these are tighter than the
// difference of their bounds.
ConstInterval DifferenceBounds(const expr::Expr& a, const expr::Expr& b,
                               const VarBounds& bounds);

// Returns a simplified form of `a kind b`. `a` and `b` must be simplified
// scalar int32 expressions, and `kind` must be kEQ, kNE, kLT or kLE. Terms are
// moved from one side to the other only where no side can overflow.
expr::Expr CompareIndices(expr::ExprKind kind, const expr::Expr& a,
                          const expr::Expr& b, const VarBounds& bounds);

// Returns true if `x kind 0` holds for all integers x in `d`, false if it holds
// for no x in `d`, and nullopt otherwise.
std::optional<bool> DecideComparison(expr::ExprKind kind,
                                     const ConstInterval& d);

// Returns `bounds`, narrowed by the assumption that the value of `condition` is
// `holds`. Each int32 comparison of exact expressions whose value follows from
// the assumption can narrow the bounds of the variables in this comparison. The
// values follow by these rules:
//   - If `a && b` is true, a and b are true. If it is false, nothing follows.
//   - If `a || b` is false, a and b are false. If it is true, nothing follows.
//   - If the value of `!a` is known, a has the opposite value.
VarBounds Assume(const expr::Expr& condition, bool holds,
                 const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_COMPARE_H_
