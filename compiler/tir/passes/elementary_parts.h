// What the files of elementary.h share: one function per intrinsic, on float32
// and float64, and the small steps that they are made of. Arguments have been
// shared already.
#ifndef ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_PARTS_H_
#define ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_PARTS_H_

#include <cstdint>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/tir/passes/elementary.h"

namespace assay::tir {

using expr::Expr;

// The constants of an expansion, in its type.
class Constants {
 public:
  explicit Constants(DType type) : type_(type) {}
  Expr operator()(double value) const;

 private:
  DType type_;
};

// The integers as wide as a float type, with as many lanes.
DType BitsOf(DType type);
Expr Reinterpret(DType type, const Expr& e);
Expr Shift(expr::Intrinsic direction, const Expr& e, int count);
Expr And(const Expr& e, int64_t mask);
Expr Abs(const Expr& e);
Expr Sqrt(const Expr& e);
// |magnitude| of at least 0 with the sign of `x`, that of a zero too.
Expr WithSign(const Expr& magnitude, const Expr& x);
// Horner's scheme, the highest power first.
Expr Polynomial(const std::vector<double>& coefficients, const Expr& x);

// x as an integer, ties to even, for |x| below 2^(mantissa - 1): as a float and
// as an integer of that width.
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

// power.cc, integers too
Expr Pow(const Expr& x, const Expr& y, const ShareFn& share);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_ELEMENTARY_PARTS_H_
