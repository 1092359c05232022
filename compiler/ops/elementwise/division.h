// Division, remainders and shifts of data, where expressions have only floor
// division by what is not 0 and shifts by less than the width.
//
// A divisor of 0 gives 0, the lowest integer divided by -1 itself; no program
// ends over one.
#ifndef ASSAY_COMPILER_OPS_ELEMENTWISE_DIVISION_H_
#define ASSAY_COMPILER_OPS_ELEMENTWISE_DIVISION_H_

#include "compiler/expr/expr.h"

namespace assay::ops {

// Of integers, towards zero.
expr::Expr TruncDiv(const expr::Expr& a, const expr::Expr& b);

// The remainder of floor division of integers: of the sign of `b`.
expr::Expr FloorMod(const expr::Expr& a, const expr::Expr& b);

// The remainder of truncating division: of the sign of `a`. For float32 it is
// exact while the quotient is below 2^29; for float64 while the product of
// quotient and divisor has no more than 53 bits.
expr::Expr TruncMod(const expr::Expr& a, const expr::Expr& b);

// Of unsigned integers; 0 where all bits are shifted out.
expr::Expr ShiftOrZero(expr::Intrinsic direction, const expr::Expr& a,
                       const expr::Expr& b);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_ELEMENTWISE_DIVISION_H_
