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
// Operations on constants are folded. The following identities are applied:
// x+0, x-0, x*1, x*0, x/1 and x%1 on integers; `&&` and `||` with a constant
// operand; and `!!x`. All other simplifications are left to tir/simplify.
#ifndef ASSAY_COMPILER_EXPR_EXPR_OPS_H_
#define ASSAY_COMPILER_EXPR_EXPR_OPS_H_

#include <optional>

#include "compiler/expr/expr.h"

namespace assay::expr {

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
// Integers: floor division. CHECK-fails if b is the constant 0.
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

// Returns the result of the function above that creates nodes of the binary
// kind `kind`. CHECK-fails if `kind` is not binary.
Expr BinaryOf(ExprKind kind, Expr a, Expr b);

// Returns a Select of `a` if `condition` is true and of `b` otherwise. If the
// condition is constant, returns `a` or `b` instead.
Expr SelectOf(Expr condition, Expr a, Expr b);

// Returns `e` converted to `type`, or `e` itself if it already has this type.
Expr CastTo(DType type, const Expr& e);

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
