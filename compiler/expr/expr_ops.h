// Operators and functions that create expressions:
//
//   Expr index = i * 8 + lane;
//   Expr clamped = Min(Max(x, 0), n - 1);
//
// Both operands of a binary operator must have the same type, with two
// exceptions. An int32 constant is converted to the element type of the other
// operand, so that `x + 1` can be written for a float x. A scalar operand is
// broadcast if the other operand is a vector.
//
// If all operands of an operator, Min, Max, Eq or Ne are constants, the result
// is a constant. In addition, these expressions are simplified: x+0, x-0, x*1,
// x*0, x/1 and x%1 on integers; `&&` and `||` with one constant operand; and
// `!!x`. All other simplifications are left to tir/simplify.
#ifndef ASSAY_COMPILER_EXPR_EXPR_OPS_H_
#define ASSAY_COMPILER_EXPR_EXPR_OPS_H_

#include <optional>

#include "compiler/expr/expr.h"

namespace assay::expr {

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
// For integers, this is floor division; CHECK-fails if the integer b is the
// constant 0.
Expr operator/(Expr a, Expr b);
// The remainder of floor division; only for integers. CHECK-fails if b is the
// constant 0.
Expr operator%(Expr a, Expr b);
Expr operator-(Expr a);

Expr Min(Expr a, Expr b);
Expr Max(Expr a, Expr b);

Expr operator<(Expr a, Expr b);
Expr operator<=(Expr a, Expr b);
Expr operator>(Expr a, Expr b);
Expr operator>=(Expr a, Expr b);
Expr Eq(Expr a, Expr b);
Expr Ne(Expr a, Expr b);
Expr operator&&(Expr a, Expr b);
Expr operator||(Expr a, Expr b);
Expr operator!(Expr a);

// Calls the operator or function above that corresponds to `kind`, for example
// operator+ for ExprKind::kAdd, and returns its result. CHECK-fails if `kind`
// is not the kind of a binary operation.
Expr BinaryOf(ExprKind kind, Expr a, Expr b);

// Returns a Select, whose value is `a` where `condition` is true and `b` where
// it is false. If the condition is constant, returns `a` or `b` instead.
Expr SelectOf(Expr condition, Expr a, Expr b);

// Returns `e` converted to `type`, or `e` itself if it already has this type.
Expr CastTo(DType type, const Expr& e);

// Returns the product of two values of possibly narrower types, computed in
// `type`.
inline Expr WideProduct(DType type, const Expr& a, const Expr& b) {
  return CastTo(type, a) * CastTo(type, b);
}

// Create a constant of scalar or vector type. A vector is a Broadcast of a
// scalar constant.
Expr Const(DType type, double value);
Expr ConstInt(DType type, int64_t value);

// Returns the value of an integer or bool constant, or of a Broadcast of such a
// constant. Returns nullopt for other expressions.
std::optional<int64_t> AsConstInt(const Expr& e);
// Returns true if AsConstInt(e) is `value`.
bool IsConstInt(const Expr& e, int64_t value);

// Creates a Call whose type is the type of its first argument.
Expr CallOf(Intrinsic intrinsic, std::vector<Expr> args);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_EXPR_OPS_H_
