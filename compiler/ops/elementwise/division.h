// Division, remainder and shift operators that are defined for all operands.
// Expressions have only floor division by nonzero divisors and shifts by less
// than the bit width.
//
// Integer division by 0 yields 0, and INT_MIN / -1 yields INT_MIN; no trap.
#ifndef ASSAY_COMPILER_OPS_ELEMENTWISE_DIVISION_H_
#define ASSAY_COMPILER_OPS_ELEMENTWISE_DIVISION_H_

#include "compiler/expr/expr.h"

namespace assay::ops {

// Integer division, rounded towards zero.
expr::Expr TruncDiv(const expr::Expr& a, const expr::Expr& b);

// The remainder of integer floor division; it has the same sign as `b`.
expr::Expr FloorMod(const expr::Expr& a, const expr::Expr& b);

// The remainder of truncating division; it has the same sign as `a`. For
// float32 it is exact if the quotient is below 2^29; for float64, if the
// product of quotient and divisor has at most 53 bits.
expr::Expr TruncMod(const expr::Expr& a, const expr::Expr& b);

// Shifts an unsigned integer; 0 if `b` is at least the bit width.
expr::Expr ShiftOrZero(expr::Intrinsic direction, const expr::Expr& a,
                       const expr::Expr& b);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_ELEMENTWISE_DIVISION_H_
