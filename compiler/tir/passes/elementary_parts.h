// Shared parts of the implementation of elementary.h: one function per
// intrinsic, on float32 and float64, and common building blocks. Arguments have
// already been passed to ShareFn.
#ifndef ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_PARTS_H_
#define ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_PARTS_H_

#include <cstdint>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/tir/passes/elementary.h"

namespace assay::tir {

using expr::Expr;

// Makes constants of the type of an expansion.
class Constants {
 public:
  explicit Constants(DType type) : type_(type) {}
  Expr operator()(double value) const;

 private:
  DType type_;
};

// The integer type with the width and number of lanes of a float type.
DType BitsOf(DType type);
Expr Reinterpret(DType type, const Expr& e);
Expr Shift(expr::Intrinsic direction, const Expr& e, int count);
Expr And(const Expr& e, int64_t mask);
Expr Abs(const Expr& e);
Expr Sqrt(const Expr& e);
// `magnitude`, which must not be negative, with the sign of `x`, including -0.
Expr WithSign(const Expr& magnitude, const Expr& x);
// Horner's scheme; coefficients from the highest power down.
Expr Polynomial(const std::vector<double>& coefficients, const Expr& x);

// x rounded to an integer, ties to even, as a float and as an integer of that
// width. Requires |x| < 2^(mantissa - 1).
struct Rounded {
  Expr value, integer;
};
Rounded RoundToInteger(const Expr& x, const ShareFn& share);

// elementary.cc
Expr Exp(const Expr& x, const ShareFn& share);
Expr Log(const Expr& x, const ShareFn& share);

// trigonometric.cc
Expr Sin(const Expr& x, const ShareFn& share);
Expr Cos(const Expr& x, const ShareFn& share);
Expr Tan(const Expr& x, const ShareFn& share);
Expr Asin(const Expr& x, const ShareFn& share);
Expr Acos(const Expr& x, const ShareFn& share);
Expr Atan(const Expr& x, const ShareFn& share);

// hyperbolic.cc
Expr Sinh(const Expr& x, const ShareFn& share);
Expr Cosh(const Expr& x, const ShareFn& share);
Expr Tanh(const Expr& x, const ShareFn& share);
Expr Asinh(const Expr& x, const ShareFn& share);
Expr Acosh(const Expr& x, const ShareFn& share);
Expr Atanh(const Expr& x, const ShareFn& share);

// power.cc; also for integers.
Expr Pow(const Expr& x, const Expr& y, const ShareFn& share);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_PARTS_H_
