// pow.
#include <limits>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/passes/elementary_parts.h"

namespace assay::tir {
namespace {

// x^n for 0 <= n < 64, for any type of x; n is an integer. Square and multiply.
Expr WholePower(const Expr& x, const Expr& n, const ShareFn& share) {
  Expr power = expr::Const(x.dtype(), 1), square = x;
  for (int bit = 0; bit < 6; ++bit) {
    const Expr is_set =
        expr::Ne(And(n, int64_t{1} << bit), expr::ConstInt(n.dtype(), 0));
    power = share(expr::SelectOf(is_set, power * square, power));
    if (bit < 5) square = share(square * square);
  }
  return power;
}

Expr PowOfInts(const Expr& x, const Expr& y, const ShareFn& share) {
  const auto c = [&](int64_t value) {
    return expr::ConstInt(x.dtype(), value);
  };
  const Expr is_odd = share(expr::Ne(And(y, 1), c(0)));
  const Expr capped =
      share(expr::SelectOf(y > c(63), expr::SelectOf(is_odd, c(63), c(62)), y));
  const Expr power = WholePower(x, capped, share);
  if (x.dtype().is_uint()) return power;
  const Expr minus_one = expr::SelectOf(is_odd, c(-1), c(1));
  const Expr inverse =
      expr::SelectOf(expr::Eq(x, c(1)), c(1),
                     expr::SelectOf(expr::Eq(x, c(-1)), minus_one, c(0)));
  return expr::SelectOf(y < c(0), inverse, power);
}

// exp(y log|x|), with the sign for odd powers, and corrected where that is NaN
// but the result is a number.
Expr PowOfFloat64(const Expr& x, const Expr& y, const ShareFn& share) {
  const Constants c(x.dtype());
  const auto floor = [](const Expr& e) {
    return expr::CallOf(expr::Intrinsic::kFloor, {e});
  };
  const Expr a = share(Abs(x));
  const Expr by_exp = Exp(share(y * Log(a, share)), share);
  const Expr is_whole = share(expr::Eq(floor(y), y));
  const Expr size = share(Abs(y));
  const Expr n = share(expr::Cast::Make(
      BitsOf(x.dtype()), expr::SelectOf(size < c(64), size, c(0))));
  const Expr product = share(WholePower(a, n, share));
  const Expr by_products = expr::SelectOf(y < c(0), c(1) / product, product);
  const Expr magnitude = share(expr::SelectOf(
      expr::Eq(a, c(1)), c(1),
      expr::SelectOf(is_whole && size < c(64), by_products, by_exp)));
  const Expr half = share(y * c(0.5));
  const Expr is_even = expr::Eq(floor(half), half);
  const Expr negative = expr::SelectOf(
      is_whole, expr::SelectOf(is_even, magnitude, c(0) - magnitude),
      c(std::numeric_limits<double>::quiet_NaN()));
  // Odd powers of -0 and -infinity are negative; other powers of them are
  // positive.
  const Expr is_finite_below =
      c(-std::numeric_limits<double>::infinity()) < x && x < c(0);
  const Expr is_negative =
      is_finite_below || (is_whole && WithSign(c(1), x) < c(0));
  const Expr power = expr::SelectOf(is_negative, negative, magnitude);
  const Expr is_one = expr::Eq(y, c(0)) || expr::Eq(x, c(1));
  return expr::SelectOf(is_one, c(1), power);
}

}  // namespace

// float32 is computed in float64 and rounded once.
Expr Pow(const Expr& x, const Expr& y, const ShareFn& share) {
  const DType type = x.dtype();
  if (!type.is_float()) return PowOfInts(x, y, share);
  if (type.bits() == 64) return PowOfFloat64(x, y, share);
  const DType wide = DType::Float64().WithLanes(type.lanes());
  return expr::Cast::Make(
      type, PowOfFloat64(share(expr::Cast::Make(wide, x)),
                         share(expr::Cast::Make(wide, y)), share));
}

}  // namespace assay::tir
