// sinh, cosh, tanh and their inverses, all from exp and log.
#include <cmath>
#include <limits>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/passes/elementary_parts.h"

namespace assay::tir {
namespace {

// exp(a) / 2, computed as a product of two factors so that it overflows only if
// the result does, and exp(-a) / 2.
struct HalfExps {
  Expr up, down;
};

HalfExps ExpsOf(const Expr& a, const ShareFn& share) {
  const Constants c(a.dtype());
  const Expr root = share(Exp(share(a * c(0.5)), share));
  const Expr up = share(c(0.5) * root * root);
  return {up, c(0.25) / up};
}

// log(1 + y) for y >= 0; NaN for y < -1. Corrects the rounding error of 1 + y
// to first order: error times the derivative of log.
Expr Log1p(const Expr& y, const ShareFn& share) {
  const Constants c(y.dtype());
  const Expr u = share(y + c(1));
  const Expr lost = expr::SelectOf(y < c(1), y - (u - c(1)), c(0));
  return Log(u, share) + lost / u;
}

// Returns true if sqrt(x^2 + 1) rounds to x.
Expr IsLarge(const Expr& a) {
  return Constants(a.dtype())(a.dtype().bits() == 64 ? 0x1p28 : 0x1p13) < a;
}

const double kLog2 = std::log(2.0);

}  // namespace

// Uses the Taylor series near 0, where the difference of exponentials cancels.
Expr Sinh(const Expr& x, const ShareFn& share) {
  const Constants c(x.dtype());
  const int terms = x.dtype().bits() == 64 ? 9 : 5;
  std::vector<double> series;
  double factorial = 1;
  for (int k = 1; k <= terms; ++k) {
    factorial *= 2 * k * (2 * k + 1);
    series.insert(series.begin(), 1 / factorial);
  }
  const Expr a = share(Abs(x));
  const Expr z = share(x * x);
  const Expr near_zero = a + a * z * Polynomial(series, z);
  const HalfExps exps = ExpsOf(a, share);
  return WithSign(expr::SelectOf(a < c(1), near_zero, exps.up - exps.down), x);
}

Expr Cosh(const Expr& x, const ShareFn& share) {
  const HalfExps exps = ExpsOf(share(Abs(x)), share);
  return exps.up + exps.down;
}

// Uses a rational approximation near 0, where 1 - 2 / (exp(2x) + 1) cancels.
Expr Tanh(const Expr& x, const ShareFn& share) {
  const Constants c(x.dtype());
  const Expr z = share(x * x);
  const Expr p =
      Polynomial({-9.64399179425052238628e-1, -9.92877231001918586564e1,
                  -1.61468768441708447952e3},
                 z);
  const Expr q =
      Polynomial({1.0, 1.12811678491632931402e2, 2.23548839060100448583e3,
                  4.84406305325125486048e3},
                 z);
  const Expr near_zero = x * (z * p / q + c(1));
  const Expr magnitude = share(Abs(x));
  const Expr e = Exp(magnitude * c(2), share);
  const Expr far = share(c(1) - c(2) / (e + c(1)));
  return expr::SelectOf(magnitude < c(0.625), near_zero,
                        expr::SelectOf(x < c(0), far * c(-1), far));
}

// log(a + sqrt(a^2 + 1)), computed as log1p(a + a^2 / (1 + sqrt(a^2 + 1))).
Expr Asinh(const Expr& x, const ShareFn& share) {
  const Constants c(x.dtype());
  const Expr a = share(Abs(x));
  const Expr is_large = share(IsLarge(a));
  const Expr square = share(a * a);
  const Expr y = expr::SelectOf(is_large, a - c(1),
                                a + square / (Sqrt(square + c(1)) + c(1)));
  const Expr value = Log1p(share(y), share);
  return WithSign(value + expr::SelectOf(is_large, c(kLog2), c(0)), x);
}

// log(x + sqrt(x^2 - 1)), computed with t = x - 1.
Expr Acosh(const Expr& x, const ShareFn& share) {
  const Constants c(x.dtype());
  const Expr t = share(x - c(1));
  const Expr is_large = share(IsLarge(x));
  const Expr y = expr::SelectOf(is_large, t, t + Sqrt(t * (t + c(2))));
  const Expr value = Log1p(share(y), share);
  return expr::SelectOf(x < c(1), c(std::numeric_limits<double>::quiet_NaN()),
                        value + expr::SelectOf(is_large, c(kLog2), c(0)));
}

// log((1 + a) / (1 - a)) / 2.
Expr Atanh(const Expr& x, const ShareFn& share) {
  const Constants c(x.dtype());
  const Expr a = share(Abs(x));
  const Expr value = Log1p(share((a + a) / (c(1) - a)), share);
  return WithSign(value * c(0.5), x);
}

}  // namespace assay::tir
