// Functions that the files of the implementation of elementary.h share. The
// first part of this header declares building blocks. The second part declares
// one function for each elementary intrinsic except erf and sigmoid, which are
// internal to elementary.cc. Unless stated otherwise, arguments are float32 or
// float64 values or vectors of such values. A function may use an argument more
// than once. Therefore callers should first replace each argument by the cheap
// expression that ShareFn (elementary.h) returns for it.
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
// Shifts the integer `e` by `count` bits. `direction` must be kShiftLeft or
// kShiftRight.
Expr Shift(expr::Intrinsic direction, const Expr& e, int count);
// Returns the bitwise AND of the integer `e` and `mask`.
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
// Rounds x to the nearest integer; a tie is rounded to the even integer.
// Requires |x| < 2^(m - 1), where m is the number of mantissa bits (23 or 52).
Rounded RoundToInteger(const Expr& x, const ShareFn& share);

// Defined in elementary.cc.
Expr Exp(const Expr& x, const ShareFn& share);
Expr Log(const Expr& x, const ShareFn& share);

// Defined in trigonometric.cc.
Expr Sin(const Expr& x, const ShareFn& share);
Expr Cos(const Expr& x, const ShareFn& share);
Expr Tan(const Expr& x, const ShareFn& share);
Expr Asin(const Expr& x, const ShareFn& share);
Expr Acos(const Expr& x, const ShareFn& share);
Expr Atan(const Expr& x, const ShareFn& share);

// Defined in hyperbolic.cc.
Expr Sinh(const Expr& x, const ShareFn& share);
Expr Cosh(const Expr& x, const ShareFn& share);
Expr Tanh(const Expr& x, const ShareFn& share);
Expr Asinh(const Expr& x, const ShareFn& share);
Expr Acosh(const Expr& x, const ShareFn& share);
Expr Atanh(const Expr& x, const ShareFn& share);

// Defined in power.cc. Pow also accepts integers.
Expr Pow(const Expr& x, const Expr& y, const ShareFn& share);

// Defined in remainder.cc.
Expr Fmod(const Expr& x, const Expr& y, const ShareFn& share);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_PARTS_H_
