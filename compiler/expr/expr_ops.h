// Operators and helpers that build expressions:
//
//   Expr index = i * 8 + lane;
//   Expr clamped = Min(Max(x, 0), n - 1);
//
// Both operands must have the same type, with two exceptions: an `int` literal
// takes the type of the other operand (`x + 1` works for float x), and a scalar
// operand is broadcast if the other one is a vector. Constants are folded and
// the integer identities x+0, x*1 and x*0 are applied; all other simplification
// is left to tir/simplify.
#ifndef ASSAY_COMPILER_EXPR_EXPR_OPS_H_
#define ASSAY_COMPILER_EXPR_EXPR_OPS_H_

#include <optional>

#include "compiler/expr/expr.h"

namespace assay::expr {

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
// Floor division on integers.
Expr operator/(Expr a, Expr b);
// Floor remainder; integers only.
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

// Builds a binary node of kind `kind` with the operators above.
Expr BinaryOf(ExprKind kind, Expr a, Expr b);

// condition ? a : b, folded if the condition is constant.
Expr SelectOf(Expr condition, Expr a, Expr b);

// Returns `e` converted to `type`; `e` itself if it has that type.
Expr CastTo(DType type, const Expr& e);

// A constant of scalar or vector type (vectors as Broadcast).
Expr Const(DType type, double value);
Expr ConstInt(DType type, int64_t value);

// Returns the value of an integer constant or of a Broadcast of one.
std::optional<int64_t> AsConstInt(const Expr& e);
bool IsConstInt(const Expr& e, int64_t value);

// A call whose type is that of its first argument.
Expr CallOf(Intrinsic intrinsic, std::vector<Expr> args);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_EXPR_OPS_H_
