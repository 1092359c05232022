// fmod: long division in base 2^kDigit. The remainder of each step is exact,
// and so is the result.
#include <cmath>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/passes/elementary_parts.h"

namespace assay::tir {
namespace {

Expr Floor(const Expr& x) { return expr::CallOf(expr::Intrinsic::kFloor, {x}); }

// a - q * b for an integer q of up to 29 bits and a number b that was a
// float32.
Expr MinusProductOfFloat32(const Expr& a, const Expr& q, const Expr& b,
                           const ShareFn&) {
  return a - q * b;
}

// a - q * b for an integer q of up to 25 bits. The two halves of b have at most
// 27 bits, so both products are exact.
Expr MinusProductOfFloat64(const Expr& a, const Expr& q, const Expr& b,
                           const ShareFn& share) {
  const DType bits = BitsOf(b.dtype());
  const Expr high = share(
      Reinterpret(b.dtype(), And(Reinterpret(bits, b), ~int64_t{0x3ffffff})));
  return share(a - q * high) - q * share(b - high);
}

// Computes the remainder of x / y for float64 values x and y, neither of which
// is negative and whose quotient is less than 2^(digit * num_digits).
//
// From the highest digit of the quotient to the lowest, subtracts the digit
// times the shifted divisor. A digit that is too large by 1, because the
// quotient was rounded up, gives a negative remainder, which the lower digits
// or the last line correct. If the shifted divisor is infinite, the digit is 0.
template <typename MinusProduct>
Expr LongDivision(const Expr& x, const Expr& y, int digit, int num_digits,
                  MinusProduct minus_product, const ShareFn& share) {
  const Constants c(x.dtype());
  constexpr int kLargestShift = 1000;
  Expr remainder = x;
  for (int k = num_digits - 1; k >= 0; --k) {
    Expr divisor = y;
    int shift = digit * k;
    for (; shift > kLargestShift; shift -= kLargestShift) {
      divisor = divisor * c(std::ldexp(1.0, kLargestShift));
    }
    if (shift > 0) divisor = share(divisor * c(std::ldexp(1.0, shift)));
    const Expr q = share(Floor(remainder / divisor));
    remainder =
        share(expr::SelectOf(expr::Eq(q, c(0)), remainder,
                             minus_product(remainder, q, divisor, share)));
  }
  return remainder + expr::SelectOf(remainder < c(0), y, c(0));
}

}  // namespace

Expr Fmod(const Expr& x, const Expr& y, const ShareFn& share) {
  const DType type = x.dtype();
  const DType wide = DType::Float64().WithLanes(type.lanes());
  const bool is_wide = type.bits() == 64;
  const Expr a = share(Abs(is_wide ? x : expr::Cast::Make(wide, x)));
  const Expr b = share(Abs(is_wide ? y : expr::Cast::Make(wide, y)));
  // The quotient of two float32 is below 2^278, that of two float64 below
  // 2^2098.
  const Expr magnitude =
      is_wide
          ? LongDivision(a, b, 25, 84, MinusProductOfFloat64, share)
          : expr::Cast::Make(
                type, LongDivision(a, b, 29, 10, MinusProductOfFloat32, share));
  return WithSign(share(magnitude), x);
}

}  // namespace assay::tir
