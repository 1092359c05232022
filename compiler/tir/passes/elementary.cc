#include "compiler/tir/passes/elementary.h"

#include <cmath>
#include <limits>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"
#include "compiler/tir/passes/elementary_parts.h"
#include "runtime/base/check.h"

namespace assay::tir {

using expr::ConstInt;
using expr::Intrinsic;

namespace {

// Parameters of the expansions for one floating-point format.
struct Format {
  int bits, mantissa, bias;
  // exp overflows above exp_max and underflows to 0 below exp_min.
  double exp_max, exp_min;
  // log 2 = ln2_high + ln2_low, where ln2_high has so few bits that its product
  // with an exponent is exact.
  double ln2_high, ln2_low;
  // (exp(r) - 1 - r) / r^2 on [-ln2 / 2, ln2 / 2], highest power first.
  std::vector<double> exp_polynomial;
  // log(1 + f) = f - s * (f - R(s^2)) with s = f / (2 + f); this is R / s^2,
  // highest power first.
  std::vector<double> log_polynomial;
  // The bit pattern of sqrt(1/2), rounded up slightly.
  int64_t sqrt_half_bits;
};

const Format& FormatOf(DType type) {
  static const Format kFloat32 = {
      32,
      23,
      127,
      89,
      -104,
      0.693359375,
      -2.12194440e-4,
      {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2,
       1.6666665459e-1, 5.0000001201e-1},
      {0.24279078841, 0.28498786688, 0.40000972152, 0.66666662693},
      0x3f3504f3};
  static const Format kFloat64 = {
      64,
      52,
      1023,
      710,
      -746,
      6.93147180369123816490e-01,
      1.90821492927058770002e-10,
      {1 / 6227020800.0, 1 / 479001600.0, 1 / 39916800.0, 1 / 3628800.0,
       1 / 362880.0, 1 / 40320.0, 1 / 5040.0, 1 / 720.0, 1 / 120.0, 1 / 24.0,
       1 / 6.0, 1 / 2.0},
      {1.479819860511658591e-01, 1.531383769920937332e-01,
       1.818357216161805012e-01, 2.222219843214978396e-01,
       2.857142874366239149e-01, 3.999999999940941908e-01,
       6.666666666666735130e-01},
      0x3fe6a09e667f3bcd};
  return type.bits() == 64 ? kFloat64 : kFloat32;
}

// 2^n for n in the range of normal numbers.
Expr PowerOfTwo(const Format& format, DType type, const Expr& n) {
  const Expr biased = n + ConstInt(n.dtype(), format.bias);
  return Reinterpret(type,
                     Shift(Intrinsic::kShiftLeft, biased, format.mantissa));
}

}  // namespace

Expr Constants::operator()(double value) const {
  return expr::Const(type_, value);
}

DType BitsOf(DType type) {
  return DType::Int(type.bits()).WithLanes(type.lanes());
}

Expr Reinterpret(DType type, const Expr& e) {
  return expr::Call::Make(type, Intrinsic::kReinterpret, {e});
}

Expr Shift(Intrinsic direction, const Expr& e, int count) {
  return expr::CallOf(direction, {e, ConstInt(e.dtype(), count)});
}

Expr And(const Expr& e, int64_t mask) {
  return expr::CallOf(Intrinsic::kBitwiseAnd, {e, ConstInt(e.dtype(), mask)});
}

Expr Abs(const Expr& e) { return expr::CallOf(Intrinsic::kAbs, {e}); }

Expr Sqrt(const Expr& e) { return expr::CallOf(Intrinsic::kSqrt, {e}); }

Expr WithSign(const Expr& magnitude, const Expr& x) {
  const DType bits = BitsOf(x.dtype());
  const int64_t sign = expr::WrapInt(
      bits.Element(), static_cast<int64_t>(uint64_t{1} << (bits.bits() - 1)));
  return Reinterpret(
      x.dtype(),
      expr::CallOf(Intrinsic::kBitwiseOr, {Reinterpret(bits, magnitude),
                                           And(Reinterpret(bits, x), sign)}));
}

Expr Polynomial(const std::vector<double>& coefficients, const Expr& x) {
  const Constants c(x.dtype());
  Expr sum = c(coefficients[0]);
  for (size_t i = 1; i < coefficients.size(); ++i) {
    sum = sum * x + c(coefficients[i]);
  }
  return sum;
}

// Adding 1.5 * 2^mantissa leaves the nearest integer in the low bits.
Rounded RoundToInteger(const Expr& x, const ShareFn& share) {
  const DType type = x.dtype();
  const Constants c(type);
  const double magic = std::ldexp(1.5, FormatOf(type).mantissa);
  const Expr shifted = share(x + c(magic));
  const auto magic_bits =
      static_cast<int64_t>(expr::FloatToBits(type.Element(), magic));
  const Expr integer = share(Reinterpret(BitsOf(type), shifted) -
                             ConstInt(BitsOf(type), magic_bits));
  return {share(shifted - c(magic)), integer};
}

// exp(x) = 2^n * exp(r), r = x - n * log 2.
Expr Exp(const Expr& x, const ShareFn& share) {
  const DType type = x.dtype();
  const Format& format = FormatOf(type);
  const Constants c(type);
  const Expr clamped =
      share(expr::Min(expr::Max(x, c(format.exp_min)), c(format.exp_max)));
  const auto [rounded, n] =
      RoundToInteger(clamped * c(1 / std::log(2.0)), share);
  const Expr r = share(clamped - rounded * c(format.ln2_high) -
                       rounded * c(format.ln2_low));
  const Expr exp_r = Polynomial(format.exp_polynomial, r) * (r * r) + r + c(1);
  // Scales in two steps, so that both factors are normal numbers.
  const Expr half = share(Shift(Intrinsic::kShiftRight, n, 1));
  return exp_r * PowerOfTwo(format, type, half) *
         PowerOfTwo(format, type, n - half);
}

// log(x) = k * log 2 + log(m), sqrt(1/2) <= m < sqrt(2).
Expr Log(const Expr& x, const ShareFn& share) {
  const DType type = x.dtype();
  const Format& format = FormatOf(type);
  const DType int_type = BitsOf(type);
  // Unsigned, because the sum below may exceed the signed range.
  const DType bits_type = DType::UInt(format.bits).WithLanes(type.lanes());
  const Constants c(type);
  const double inf = std::numeric_limits<double>::infinity();
  const double smallest = std::ldexp(1.0, 1 - format.bias);

  const Expr is_tiny = share(x < c(smallest));
  const Expr normal =
      expr::SelectOf(is_tiny, x * c(std::ldexp(1.0, format.mantissa)), x);
  const int64_t one_bits = int64_t{format.bias} << format.mantissa;
  const Expr bits =
      share(Reinterpret(bits_type, normal) +
            ConstInt(bits_type, one_bits - format.sqrt_half_bits));
  const Expr exponent = expr::Cast::Make(
      int_type, Shift(Intrinsic::kShiftRight, bits, format.mantissa));
  const Expr bias =
      expr::SelectOf(is_tiny, ConstInt(int_type, format.bias + format.mantissa),
                     ConstInt(int_type, format.bias));
  const Expr k = share(expr::Cast::Make(type, exponent - bias));
  const Expr fraction = And(bits, (int64_t{1} << format.mantissa) - 1);
  const Expr m =
      Reinterpret(type, fraction + ConstInt(bits_type, format.sqrt_half_bits));

  const Expr f = share(m - c(1));
  const Expr s = share(f / (f + c(2)));
  const Expr z = share(s * s);
  const Expr polynomial = z * Polynomial(format.log_polynomial, z);
  const Expr half_square = share(c(0.5) * f * f);
  const Expr low = s * (half_square + polynomial) + k * c(format.ln2_low);
  const Expr result = k * c(format.ln2_high) - ((half_square - low) - f);
  const Expr otherwise = expr::SelectOf(
      expr::Eq(x, c(0)), c(-inf), c(std::numeric_limits<double>::quiet_NaN()));
  return expr::SelectOf(c(0) < x, expr::SelectOf(x < c(inf), result, x),
                        otherwise);
}

namespace {

// The result for |x| >= 4 rounds to 1 in float32, and so does the rational
// approximation at 4.
Expr Erf(const Expr& x, const ShareFn& share) {
  CHECK_EQ(x.dtype().bits(), 32) << "erf of " << x.dtype();
  const Constants c(x.dtype());
  const Expr clamped = share(expr::Min(expr::Max(x, c(-4)), c(4)));
  const Expr z = share(clamped * clamped);
  const Expr p = Polynomial(
      {-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06,
       -5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03,
       -1.60960333262415e-02},
      z);
  const Expr q = Polynomial(
      {-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03,
       -7.37332916720468e-03, -1.42647390514189e-02},
      z);
  return clamped * (p / q);
}

// Uses exp(-|x|), which neither overflows nor cancels.
Expr Sigmoid(const Expr& x, const ShareFn& share) {
  const Constants c(x.dtype());
  const Expr e = share(Exp(Abs(x) * c(-1), share));
  return expr::SelectOf(x < c(0), e, c(1)) / (e + c(1));
}

using Args = std::vector<Expr>;
Expr Expand(Expr (*f)(const Expr&, const ShareFn&), const Args& args,
            const ShareFn& share) {
  return f(args[0], share);
}
Expr Expand(Expr (*f)(const Expr&, const Expr&, const ShareFn&),
            const Args& args, const ShareFn& share) {
  return f(args[0], args[1], share);
}

Expr ExpandShared(Intrinsic intrinsic, const Args& args, const ShareFn& share) {
  switch (intrinsic) {
#define ASSAY_CASE(Name, name, arity) \
  case Intrinsic::k##Name:            \
    return Expand(Name, args, share);
    ASSAY_ELEMENTARY_INTRINSICS(ASSAY_CASE)
#undef ASSAY_CASE
    default:
      CHECK(false) << expr::IntrinsicName(intrinsic) << " is not elementary";
      return Expr();
  }
}

}  // namespace

Expr ExpandElementary(Intrinsic intrinsic, const std::vector<Expr>& args,
                      const ShareFn& share) {
  const DType type = args[0].dtype();
  const bool is_narrow = type.is_float() && type.bits() < 32;
  const DType wide = DType::Float32().WithLanes(type.lanes());
  Args shared;
  for (const Expr& arg : args) {
    shared.push_back(share(is_narrow ? expr::Cast::Make(wide, arg) : arg));
  }
  const Expr value = ExpandShared(intrinsic, shared, share);
  return is_narrow ? expr::Cast::Make(type, value) : value;
}

}  // namespace assay::tir
