#include "compiler/tir/simplify/vector_index.h"

#include <optional>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/simplify/exact.h"
#include "compiler/tir/simplify/simplify.h"

namespace assay::tir {
namespace {

using expr::Expr;
using expr::ExprKind;

// A ramp; stride 0 represents a broadcast.
struct Affine {
  Expr base, stride;
};

std::optional<Affine> AsAffine(const Expr& e) {
  if (const auto* ramp = e.As<expr::Ramp>()) {
    return Affine{ramp->base, ramp->stride};
  }
  if (const auto* broadcast = e.As<expr::Broadcast>()) {
    return Affine{broadcast->value, Expr(0)};
  }
  return std::nullopt;
}

Expr ToVector(const Expr& base, const Expr& stride, int lanes) {
  return expr::IsConstInt(stride, 0) ? expr::Broadcast::Make(base, lanes)
                                     : expr::Ramp::Make(base, stride, lanes);
}

// Returns true if floordiv(base + i * stride, d) is the same for all lanes i.
bool SameQuotient(const Affine& a, int64_t d, int lanes,
                  const VarBounds& bounds) {
  const auto stride = expr::AsConstInt(a.stride);
  if (!stride.has_value() || *stride < 0) return false;
  if (!IsExact(a.base + a.stride * (lanes - 1), bounds)) return false;
  const Expr rest =
      Simplify(a.base % expr::ConstInt(DType::Int32(), d), bounds);
  return ConstBounds(rest, bounds).max + *stride * (lanes - 1) < d;
}

}  // namespace

Expr GatherVectorIndex(ExprKind kind, const Expr& a, const Expr& b,
                       const VarBounds& bounds) {
  const auto x = AsAffine(a), y = AsAffine(b);
  if (!x.has_value() || !y.has_value()) return Expr();
  const int lanes = a.dtype().lanes();
  switch (kind) {
    case ExprKind::kAdd:
      return ToVector(x->base + y->base, x->stride + y->stride, lanes);
    case ExprKind::kSub:
      return ToVector(x->base - y->base, x->stride - y->stride, lanes);
    case ExprKind::kMul:
      if (expr::IsConstInt(y->stride, 0)) {
        return ToVector(x->base * y->base, x->stride * y->base, lanes);
      }
      if (expr::IsConstInt(x->stride, 0)) {
        return ToVector(x->base * y->base, x->base * y->stride, lanes);
      }
      return Expr();
    default:
      break;
  }
  const auto divisor = expr::AsConstInt(b);
  if (!divisor.has_value() || *divisor <= 0) {
    if (!expr::IsConstInt(x->stride, 0) || !expr::IsConstInt(y->stride, 0)) {
      return Expr();
    }
  } else if (!SameQuotient(*x, *divisor, lanes, bounds)) {
    return Expr();
  }
  return kind == ExprKind::kDiv
             ? expr::Broadcast::Make(x->base / y->base, lanes)
             : ToVector(x->base % y->base, x->stride, lanes);
}

}  // namespace assay::tir
