// Operators and helpers to write expressions with:
//
//   Expr index = i * 8 + lane;
//   Expr clamped = Min(Max(x, 0), n - 1);
//
// Both operands must have the same type; an `int` literal takes the type of
// the other side (so `x + 1` works for float x too), and a scalar meets a
// vector as its broadcast. Constants fold and the identities x+0, x*1, x*0 of
// integers vanish; everything else is left to tir/simplify.
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

// The operator of a binary kind, as spelt out above.
Expr BinaryOf(ExprKind kind, Expr a, Expr b);

// condition ? a : b, folded when the condition is constant.
Expr SelectOf(Expr condition, Expr a, Expr b);

// `e` as a `type`, itself where it is one.
Expr CastTo(DType type, const Expr& e);

// A constant of any scalar or vector type (vectors as Broadcast).
Expr Const(DType type, double value);
Expr ConstInt(DType type, int64_t value);

// The value of an integer constant (also under Broadcast), if it is one.
std::optional<int64_t> AsConstInt(const Expr& e);
bool IsConstInt(const Expr& e, int64_t value);

// Calls of one and several arguments; the type is that of the first.
Expr CallOf(Intrinsic intrinsic, std::vector<Expr> args);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_EXPR_OPS_H_
