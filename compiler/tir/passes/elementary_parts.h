// Functions that the files of the implementation of elementary.h share:
// building blocks, and one function per intrinsic (erf and sigmoid are in
// elementary.cc only). Unless stated otherwise, types are float32 or float64,
// or vectors of these. A function may use its arguments more than once.
// Therefore callers should first replace each argument by the cheap expression
// that ShareFn (elementary.h) returns for it.
#ifndef ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_PARTS_H_
#define ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_PARTS_H_

#include <cstdint>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/tir/passes/elementary.h"

namespace assay::tir {

using expr::Expr;

// Constants: creates constants of type `type`.
class Constants {
 public:
  explicit Constants(DType type) : type_(type) {}
  Expr operator()(double value) const;

 private:
  DType type_;
};

// Returns the signed integer type with the width and number of lanes of `type`.
DType BitsOf(DType type);
// Returns a bit cast of `e` to `type`.
Expr Reinterpret(DType type, const Expr& e);
// `direction` is kShiftLeft or kShiftRight, and `e` an integer.
Expr Shift(expr::Intrinsic direction, const Expr& e, int count);
Expr And(const Expr& e, int64_t mask);
Expr Abs(const Expr& e);
Expr Sqrt(const Expr& e);
// Returns `magnitude`, which must not be negative, with the sign bit of `x`. If
// `x` is -0, the result has a negative sign.
Expr WithSign(const Expr& magnitude, const Expr& x);
// Returns the value of a polynomial by Horner's scheme. `coefficients` starts
// with the coefficient of the highest power.
Expr Polynomial(const std::vector<double>& coefficients, const Expr& x);

// A rounded number, as a float and as an integer of equal width.
struct Rounded {
  Expr value, integer;
};
// Rounds x to an integer, ties to even. Requires |x| < 2^(m - 1), where m is
// the number of mantissa bits (23 or 52).
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

// power.cc. Pow also accepts integers.
Expr Pow(const Expr& x, const Expr& y, const ShareFn& share);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_PARTS_H_
