#include "compiler/tir/simplify/compare.h"

#include <algorithm>
#include <numeric>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"
#include "compiler/tir/simplify/exact.h"
#include "compiler/tir/simplify/linear.h"
#include "compiler/tir/simplify/linear_bounds.h"

namespace assay::tir {
namespace {

using expr::Expr;
using expr::ExprKind;
using expr::FloorDiv;

// The gcd of the coefficients.
int64_t CommonDivisor(const Linear& sum) {
  int64_t divisor = 0;
  for (const auto& [term, coefficient] : sum.terms) {
    divisor = std::gcd(divisor, coefficient);
  }
  return divisor;
}

// Narrows `bounds` by the assumption sum <= 0.
void AssumeNotPositive(const Linear& sum, VarBounds& bounds) {
  for (const auto& [term, coefficient] : sum.terms) {
    if (term.As<expr::Var>() == nullptr) continue;
    Linear rest = sum;
    rest.AddTerm(term, -coefficient);
    // coefficient * term <= limit
    const int64_t limit = -LinearBounds(rest, bounds).min;
    ConstInterval range = ConstBounds(term, bounds);
    if (coefficient > 0) {
      range.max = std::min(range.max, FloorDiv(limit, coefficient));
    } else {
      range.min = std::max(range.min, -FloorDiv(limit, -coefficient));
    }
    // An empty range means that the code is unreachable; keep the old bounds.
    if (range.min <= range.max) bounds[term] = range;
  }
}

void AssumeComparison(ExprKind kind, const Expr& a, const Expr& b, bool holds,
                      VarBounds& bounds) {
  if (a.dtype() != DType::Int32()) return;
  if (!IsExact(a, bounds) || !IsExact(b, bounds)) return;
  const Linear difference = Difference(a, b);
  Linear opposite = difference;
  opposite.Scale(-1);
  Linear lower = holds ? difference : opposite;
  switch (kind) {
    case ExprKind::kLT:
      lower.constant += holds ? 1 : 0;  // a - b + 1 <= 0, or b - a <= 0
      return AssumeNotPositive(lower, bounds);
    case ExprKind::kLE:
      lower.constant += holds ? 0 : 1;
      return AssumeNotPositive(lower, bounds);
    default:
      if ((kind == ExprKind::kEQ) != holds) return;
      AssumeNotPositive(difference, bounds);
      return AssumeNotPositive(opposite, bounds);
  }
}

void AssumeInto(const Expr& condition, bool holds, VarBounds& bounds) {
  if (const auto* n = condition.As<expr::Not>()) {
    return AssumeInto(n->a, !holds, bounds);
  }
  if (const auto* n = condition.As<expr::And>()) {
    if (!holds) return;
    AssumeInto(n->a, true, bounds);
    return AssumeInto(n->b, true, bounds);
  }
  if (const auto* n = condition.As<expr::Or>()) {
    if (holds) return;
    AssumeInto(n->a, false, bounds);
    return AssumeInto(n->b, false, bounds);
  }
#define ASSAY_CASE(Kind)                                                   \
  if (const auto* n = condition.As<expr::Kind>()) {                        \
    return AssumeComparison(ExprKind::k##Kind, n->a, n->b, holds, bounds); \
  }
  ASSAY_CASE(LT)
  ASSAY_CASE(LE)
  ASSAY_CASE(EQ)
  ASSAY_CASE(NE)
#undef ASSAY_CASE
}

}  // namespace

std::optional<bool> DecideComparison(ExprKind kind, const ConstInterval& d) {
  switch (kind) {
    case ExprKind::kLT:
      if (d.max < 0) return true;
      if (d.min >= 0) return false;
      return std::nullopt;
    case ExprKind::kLE:
      if (d.max <= 0) return true;
      if (d.min > 0) return false;
      return std::nullopt;
    default: {
      const bool equal = kind == ExprKind::kEQ;
      if (d.min == 0 && d.max == 0) return equal;
      if (d.min > 0 || d.max < 0) return !equal;
      return std::nullopt;
    }
  }
}

ConstInterval DifferenceBounds(const Expr& a, const Expr& b,
                               const VarBounds& bounds) {
  Linear difference = Difference(a, b);
  if (IsExact(a, bounds) && IsExact(b, bounds)) {
    return LinearBounds(difference, bounds);
  }
  // Equal modulo 2^32 is equal.
  difference.Wrap();
  if (difference.IsConstant() && difference.constant == 0) return {0, 0};
  const ConstInterval x = ConstBounds(a, bounds), y = ConstBounds(b, bounds);
  return {x.min - y.max, x.max - y.min};
}

Expr CompareIndices(ExprKind kind, const Expr& a, const Expr& b,
                    const VarBounds& bounds) {
  const auto truth = [](bool value) {
    return expr::ConstInt(DType::Bool(), value);
  };
  const auto known = DecideComparison(kind, DifferenceBounds(a, b, bounds));
  if (known.has_value()) return truth(*known);
  if (!IsExact(a, bounds) || !IsExact(b, bounds)) {
    return expr::BinaryOf(kind, a, b);
  }
  const Linear difference = Difference(a, b);
  // `sum kind limit`, with both sides divided by the gcd of the sum.
  const int64_t divisor = CommonDivisor(difference);
  const bool inequality = kind == ExprKind::kLT || kind == ExprKind::kLE;
  if (!inequality && difference.constant % divisor != 0) {
    return truth(kind == ExprKind::kNE);
  }
  // sum < limit becomes sum < ceil(limit / divisor).
  const int64_t limit = kind == ExprKind::kLT
                            ? -FloorDiv(difference.constant, divisor)
                            : FloorDiv(-difference.constant, divisor);
  // At the limits of int32 the rewritten comparison could overflow.
  if (limit > INT32_MAX || limit < -INT32_MAX) {
    return expr::BinaryOf(kind, a, b);
  }
  // Negative terms move to the right side, so that all coefficients are
  // positive.
  Linear left, right;
  for (const auto& [term, coefficient] : difference.terms) {
    if (coefficient > 0) left.AddTerm(term, coefficient / divisor);
    if (coefficient < 0) right.AddTerm(term, -coefficient / divisor);
  }
  if (limit < 0 && !right.IsConstant()) {
    left.constant = -limit;
  } else {
    right.constant = limit;
  }
  if (!IsExact(left, bounds) || !IsExact(right, bounds)) {
    return expr::BinaryOf(kind, a, b);
  }
  return expr::BinaryOf(kind, left.ToExpr(), right.ToExpr());
}

VarBounds Assume(const Expr& condition, bool holds, const VarBounds& bounds) {
  VarBounds narrowed = bounds;
  AssumeInto(condition, holds, narrowed);
  return narrowed;
}

}  // namespace assay::tir
