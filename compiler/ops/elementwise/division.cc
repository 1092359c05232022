#include "compiler/ops/elementwise/division.h"

#include "compiler/expr/expr_ops.h"

namespace assay::ops {
namespace {

using expr::Expr;
using expr::Intrinsic;

Expr Zero(const Expr& like) { return expr::ConstInt(like.dtype(), 0); }

bool IsSigned(const Expr& e) { return e.dtype().is_int(); }

// Returns `b`, or 1 if floor division by `b` may trap; the remainder is then 0.
Expr SafeDivisor(const Expr& b) {
  Expr fails = expr::Eq(b, Zero(b));
  if (IsSigned(b)) {
    fails = fails || expr::Eq(b, expr::ConstInt(b.dtype(), -1));
  }
  return expr::SelectOf(fails, expr::ConstInt(b.dtype(), 1), b);
}

// Returns true if floor division rounds to a lower result than truncation.
Expr RoundsDown(const Expr& a, const Expr& b, const Expr& remainder) {
  return expr::Ne(remainder, Zero(a)) && expr::Ne(a < Zero(a), b < Zero(b));
}

}  // namespace

Expr TruncDiv(const Expr& a, const Expr& b) {
  const Expr divisor = SafeDivisor(b);
  Expr quotient = a / divisor;
  if (IsSigned(a)) {
    const Expr one = expr::ConstInt(a.dtype(), 1);
    quotient = expr::SelectOf(RoundsDown(a, divisor, a % divisor),
                              quotient + one, quotient);
    quotient = expr::SelectOf(expr::Eq(b, expr::ConstInt(b.dtype(), -1)),
                              Zero(a) - a, quotient);
  }
  return expr::SelectOf(expr::Eq(b, Zero(b)), Zero(a), quotient);
}

Expr FloorMod(const Expr& a, const Expr& b) { return a % SafeDivisor(b); }

Expr TruncMod(const Expr& a, const Expr& b) {
  if (a.dtype().is_float()) return expr::CallOf(Intrinsic::kFmod, {a, b});
  const Expr divisor = SafeDivisor(b);
  const Expr remainder = a % divisor;
  if (!IsSigned(a)) return remainder;
  return expr::SelectOf(RoundsDown(a, divisor, remainder), remainder - divisor,
                        remainder);
}

Expr ShiftOrZero(Intrinsic direction, const Expr& a, const Expr& b) {
  const Expr last = expr::ConstInt(b.dtype(), b.dtype().bits() - 1);
  return expr::SelectOf(
      b <= last, expr::CallOf(direction, {a, expr::Min(b, last)}), Zero(a));
}

}  // namespace assay::ops
