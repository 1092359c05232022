// Division, remainder and shift operators that are defined for all operands.
// The operators of expr/ support only floor division by nonzero divisors and
// shifts by less than the bit width.
//
// The integer operators never trap: division by 0 returns 0, the remainder of a
// division by 0 is 0, and INT_MIN / -1 returns INT_MIN.
#ifndef ASSAY_COMPILER_OPS_ELEMENTWISE_DIVISION_H_
#define ASSAY_COMPILER_OPS_ELEMENTWISE_DIVISION_H_

#include "compiler/expr/expr.h"

namespace assay::ops {

// Returns the integer quotient, rounded towards zero.
expr::Expr TruncDiv(const expr::Expr& a, const expr::Expr& b);

// Returns the remainder of integer floor division, which is 0 or has the sign
// of `b`.
expr::Expr FloorMod(const expr::Expr& a, const expr::Expr& b);

// Returns the remainder of truncating division, which is 0 or has the sign of
// `a`. Remainders of floats are exact.
expr::Expr TruncMod(const expr::Expr& a, const expr::Expr& b);

// Returns the unsigned integer `a` shifted by `b` bits, or 0 if `b` is at least
// the bit width. `direction` must be kShiftLeft or kShiftRight.
expr::Expr ShiftOrZero(expr::Intrinsic direction, const expr::Expr& a,
                       const expr::Expr& b);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_ELEMENTWISE_DIVISION_H_
