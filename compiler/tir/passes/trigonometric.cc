// sin, cos, tan and their inverses.
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/passes/elementary_parts.h"

namespace assay::tir {
namespace {

// Coefficients of polynomials and rational functions, highest power first.
struct Approximations {
  // (sin(r) - r) / r^3 and (cos(r) - 1 + r^2 / 2) / r^4 in r^2, for |r| <= pi /
  // 4.
  std::vector<double> sin, cos;
  // (asin(s) - s) / s^3 in s^2, for s <= 1/2.
  std::vector<double> asin_p, asin_q;
  // (atan(t) - t) / t^3 in t^2, for t <= tan(pi / 8).
  std::vector<double> atan_p, atan_q;
  // pi / 2 as a sum: rounded to the type, and the remainder.
  double half_pi, half_pi_rest;
};

const Approximations& ApproximationsFor(DType type) {
  static const Approximations kFloat32 = {
      {-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1},
      {2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2},
      {4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2,
       1.6666752422e-1},
      {1.0},
      {8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1,
       -3.33329491539e-1},
      {1.0},
      1.57079637050628662109375,
      -4.37113900018624283e-8};
  static const Approximations kFloat64 = {
      {1.58969099521155010221e-10, -2.50507602534068634195e-08,
       2.75573137070700676789e-06, -1.98412698298579493134e-04,
       8.33333333332248946124e-03, -1.66666666666666324348e-01},
      {-1.13596475577881948265e-11, 2.08757232129817482790e-09,
       -2.75573143513906633035e-07, 2.48015872894767294178e-05,
       -1.38888888888741095749e-03, 4.16666666666666019037e-02},
      {3.47933107596021167570e-05, 7.91534994289814532176e-04,
       -4.00555345006794114027e-02, 2.01212532134862925881e-01,
       -3.25565818622400915405e-01, 1.66666666666666657415e-01},
      {7.70381505559019352791e-02, -6.88283971605453293030e-01,
       2.02094576023350569471e+00, -2.40339491173441421878e+00, 1.0},
      {-8.750608600031904122785e-1, -1.615753718733365076637e1,
       -7.500855792314704667340e1, -1.228866684490136173410e2,
       -6.485021904942025371773e1},
      {1.0, 2.485846490142306297962e1, 1.650270098316988542046e2,
       4.328810604912902668951e2, 4.853903996359136964868e2,
       1.945506571482613964425e2},
      1.57079632679489655800e+00,
      6.12323399573676603587e-17};
  return type.bits() == 64 ? kFloat64 : kFloat32;
}

Expr Ratio(const std::vector<double>& p, const std::vector<double>& q,
           const Expr& z) {
  const Expr numerator = Polynomial(p, z);
  return q.size() == 1 ? numerator : numerator / Polynomial(q, z);
}

// x minus the nearest multiple of pi / 2, in [-pi / 4, pi / 4], and the number
// of that multiple modulo 4 as an int64.
struct Reduced {
  Expr rest, quadrant;
};

// Cody-Waite reduction: pi / 2 is split into parts, and all but the last have
// so few bits that their products with the multiple are exact. float32 is
// reduced in float64, where two parts suffice.
Reduced Reduce(const Expr& x, const ShareFn& share) {
  const DType type = x.dtype();
  const bool is_double = type.bits() == 64;
  const Constants own(type);
  // NaN if x is infinite.
  const Expr near =
      expr::SelectOf(Abs(x) <= own(is_double ? 1e6 : 0x1p28), x, x * own(0));
  const DType wide_type = DType::Float64().WithLanes(type.lanes());
  const Expr wide = share(is_double ? near : expr::Cast::Make(wide_type, near));
  const Constants c(wide_type);
  const auto [n, quadrant] =
      RoundToInteger(wide * c(6.36619772367581382433e-01), share);
  Expr rest;
  if (is_double) {
    rest = wide - n * c(1.57079632673412561417e+00) -
           n * c(6.07710050630396597660e-11) -
           n * c(2.02226624879595063154e-21);
  } else {
    rest = wide - n * c(1.57079631090164184570e+00) -
           n * c(1.58932547735281966916e-08);
    rest = expr::Cast::Make(type, rest);
  }
  return {share(rest), quadrant};
}

struct SinCos {
  Expr sin, cos;
};

SinCos NearZero(const Expr& r, const ShareFn& share) {
  const Approximations& a = ApproximationsFor(r.dtype());
  const Constants c(r.dtype());
  const Expr z = share(r * r);
  const Expr half = share(z * c(0.5));
  const Expr leading = share(c(1) - half);
  // Adds the rounding error of the subtraction to the small terms.
  const Expr lost = (c(1) - leading) - half;
  return {share(r + r * z * Polynomial(a.sin, z)),
          share(leading + (lost + z * z * Polynomial(a.cos, z)))};
}

Expr IsBitSet(const Expr& integer, int64_t bit) {
  return expr::Ne(And(integer, bit), expr::ConstInt(integer.dtype(), 0));
}

// sin in quadrants 0 to 3: sin, cos, -sin, -cos of the remainder.
Expr SinIn(const Expr& quadrant, const SinCos& s, const ShareFn& share) {
  const Expr value = share(expr::SelectOf(IsBitSet(quadrant, 1), s.cos, s.sin));
  const Constants c(value.dtype());
  return expr::SelectOf(IsBitSet(quadrant, 2), c(0) - value, value);
}

// asin(s) for s in [0, 1/2], given s^2.
Expr SmallAsin(const Expr& s, const Expr& z) {
  const Approximations& a = ApproximationsFor(s.dtype());
  return s + s * (z * Ratio(a.asin_p, a.asin_q, z));
}

// asin(|x|) for |x| <= 1/2, and asin(sqrt((1 - |x|) / 2)) above, which is half
// of pi / 2 - asin(|x|).
struct AsinParts {
  Expr is_large, angle;
};

AsinParts PartsOf(const Expr& x, const ShareFn& share) {
  const Constants c(x.dtype());
  const Expr a = share(Abs(x));
  const Expr is_large = share(c(0.5) < a);
  const Expr z = share(expr::SelectOf(is_large, (c(1) - a) * c(0.5), a * a));
  const Expr s = share(expr::SelectOf(is_large, Sqrt(z), a));
  return {is_large, share(SmallAsin(s, z))};
}

}  // namespace

Expr Sin(const Expr& x, const ShareFn& share) {
  const Reduced reduced = Reduce(x, share);
  const Expr value =
      SinIn(reduced.quadrant, NearZero(reduced.rest, share), share);
  return expr::SelectOf(expr::Eq(x, Constants(x.dtype())(0)), x, value);
}

Expr Cos(const Expr& x, const ShareFn& share) {
  const Reduced reduced = Reduce(x, share);
  const Expr next =
      share(reduced.quadrant + expr::ConstInt(reduced.quadrant.dtype(), 1));
  return SinIn(next, NearZero(reduced.rest, share), share);
}

// sin / cos in even quadrants, -cos / sin in odd ones.
Expr Tan(const Expr& x, const ShareFn& share) {
  const Constants c(x.dtype());
  const Reduced reduced = Reduce(x, share);
  const SinCos s = NearZero(reduced.rest, share);
  const Expr is_odd = share(IsBitSet(reduced.quadrant, 1));
  const Expr value = expr::SelectOf(is_odd, c(0) - s.cos, s.sin) /
                     expr::SelectOf(is_odd, s.sin, s.cos);
  return expr::SelectOf(expr::Eq(x, c(0)), x, value);
}

Expr Asin(const Expr& x, const ShareFn& share) {
  const Approximations& a = ApproximationsFor(x.dtype());
  const Constants c(x.dtype());
  const AsinParts parts = PartsOf(x, share);
  const Expr large = c(a.half_pi) - (parts.angle * c(2) - c(a.half_pi_rest));
  return WithSign(expr::SelectOf(parts.is_large, large, parts.angle), x);
}

Expr Acos(const Expr& x, const ShareFn& share) {
  const Approximations& a = ApproximationsFor(x.dtype());
  const Constants c(x.dtype());
  const AsinParts parts = PartsOf(x, share);
  const Expr doubled = share(parts.angle * c(2));
  const Expr far = expr::SelectOf(
      x < c(0), c(2 * a.half_pi) - (doubled - c(2 * a.half_pi_rest)), doubled);
  const Expr near =
      c(a.half_pi) - (WithSign(parts.angle, x) - c(a.half_pi_rest));
  return expr::SelectOf(parts.is_large, far, near);
}

// pi / 2 + atan(-1 / a) for a > tan(3 pi / 8), pi / 4 + atan((a - 1) / (a + 1))
// for a > tan(pi / 8).
Expr Atan(const Expr& x, const ShareFn& share) {
  const Approximations& approximations = ApproximationsFor(x.dtype());
  const Constants c(x.dtype());
  const Expr a = share(Abs(x));
  const Expr is_large = share(c(2.414213562373095) < a);
  const Expr is_medium = share(c(0.4142135623730950) < a);
  const auto choose = [&](const Expr& large, const Expr& medium,
                          const Expr& small) {
    return expr::SelectOf(is_large, large,
                          expr::SelectOf(is_medium, medium, small));
  };
  const Expr t = share(choose(c(-1), a - c(1), a) / choose(a, a + c(1), c(1)));
  const Expr z = share(t * t);
  const double half_pi = approximations.half_pi;
  const double rest = approximations.half_pi_rest;
  const Expr small =
      t * z * Ratio(approximations.atan_p, approximations.atan_q, z) +
      choose(c(rest), c(rest / 2), c(0)) + t;
  return WithSign(choose(c(half_pi), c(half_pi / 2), c(0)) + small, x);
}

}  // namespace assay::tir
