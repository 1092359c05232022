#include "compiler/tir/simplify/bounds.h"

#include <algorithm>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"

namespace assay::tir {
namespace {

using expr::Expr;
using expr::ExprKind;

ConstInterval RangeOf(DType type) {
  if (type.is_bool()) return {0, 1};
  const int bits = type.bits();
  if (type.is_uint()) {
    if (bits >= 63) return {0, INT64_MAX};
    return {0, (int64_t{1} << bits) - 1};
  }
  if (bits >= 64) return {INT64_MIN, INT64_MAX};
  return {-(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1};
}

bool Fits(const ConstInterval& i, DType type) {
  const ConstInterval range = RangeOf(type);
  return i.Within(range.min, range.max);
}

ConstInterval Union(const ConstInterval& a, const ConstInterval& b) {
  return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

// The hull of f at the four corners. Operands have at most 32 bits (see
// Analysable), so nothing overflows.
template <typename F>
ConstInterval Corners(const ConstInterval& a, const ConstInterval& b, F f) {
  const int64_t v[] = {f(a.min, b.min), f(a.min, b.max), f(a.max, b.min),
                       f(a.max, b.max)};
  return {*std::min_element(v, v + 4), *std::max_element(v, v + 4)};
}

ConstInterval DivBounds(const ConstInterval& a, const ConstInterval& b,
                        DType type) {
  if (b.min <= 0 && b.max >= 0) return RangeOf(type);
  return Corners(a, b, expr::FloorDiv);
}

ConstInterval ModBounds(const ConstInterval& a, const ConstInterval& b,
                        DType type) {
  if (b.min <= 0) return RangeOf(type);
  if (b.IsPoint() &&
      expr::FloorDiv(a.min, b.min) == expr::FloorDiv(a.max, b.min)) {
    return {expr::FloorMod(a.min, b.min), expr::FloorMod(a.max, b.min)};
  }
  return {0, b.max - 1};
}

// Bounds of a comparison: {1, 1}, {0, 0} or {0, 1}.
ConstInterval Decided(bool always, bool never) {
  return {always ? 1 : 0, never ? 0 : 1};
}

ConstInterval BinaryBounds(ExprKind kind, const ConstInterval& a,
                           const ConstInterval& b, DType type) {
  switch (kind) {
    case ExprKind::kAdd:
      return {a.min + b.min, a.max + b.max};
    case ExprKind::kSub:
      return {a.min - b.max, a.max - b.min};
    case ExprKind::kMul:
      return Corners(a, b, [](int64_t x, int64_t y) { return x * y; });
    case ExprKind::kDiv:
      return DivBounds(a, b, type);
    case ExprKind::kMod:
      return ModBounds(a, b, type);
    case ExprKind::kMin:
    case ExprKind::kAnd:
      return {std::min(a.min, b.min), std::min(a.max, b.max)};
    case ExprKind::kMax:
    case ExprKind::kOr:
      return {std::max(a.min, b.min), std::max(a.max, b.max)};
    case ExprKind::kLT:
      return Decided(a.max < b.min, a.min >= b.max);
    case ExprKind::kLE:
      return Decided(a.max <= b.min, a.min > b.max);
    case ExprKind::kEQ:
      return Decided(a.IsPoint() && b.IsPoint() && a.min == b.min,
                     a.max < b.min || b.max < a.min);
    case ExprKind::kNE:
      return Decided(a.max < b.min || b.max < a.min,
                     a.IsPoint() && b.IsPoint() && a.min == b.min);
    default:
      return RangeOf(type);
  }
}

// Returns true if bounds of this type can be computed in int64_t.
bool Analysable(DType type) { return !type.is_float() && type.bits() <= 32; }

class Evaluator {
 public:
  explicit Evaluator(const VarBounds& bounds) : bounds_(bounds) {}

  ConstInterval Eval(const Expr& e) const {
    const ConstInterval value = EvalUnclipped(e);
    // A value outside of the type has wrapped around: nothing is known.
    return Fits(value, e.dtype().Element()) ? value : RangeOf(e.dtype());
  }

 private:
  ConstInterval EvalUnclipped(const Expr& e) const {
    switch (e.kind()) {
      case ExprKind::kIntImm: {
        const int64_t v = e.As<expr::IntImm>()->value;
        return {v, v};
      }
      case ExprKind::kVar: {
        const auto it = bounds_.find(e);
        return it != bounds_.end() ? it->second : RangeOf(e.dtype());
      }
      case ExprKind::kCast: {
        const Expr& value = e.As<expr::Cast>()->value;
        return Analysable(value.dtype()) ? Eval(value) : RangeOf(e.dtype());
      }
      case ExprKind::kNot: {
        const ConstInterval a = Eval(e.As<expr::Not>()->a);
        return {1 - a.max, 1 - a.min};
      }
      case ExprKind::kSelect: {
        const expr::Select* s = e.As<expr::Select>();
        const ConstInterval c = Eval(s->condition);
        if (c.min == 1) return Eval(s->true_value);
        if (c.max == 0) return Eval(s->false_value);
        return Union(Eval(s->true_value), Eval(s->false_value));
      }
      case ExprKind::kBroadcast:
        return Eval(e.As<expr::Broadcast>()->value);
      case ExprKind::kRamp: {
        const expr::Ramp* r = e.As<expr::Ramp>();
        const ConstInterval base = Eval(r->base);
        const ConstInterval step = Eval(r->stride);
        const int64_t last = e.dtype().lanes() - 1;
        return {base.min + std::min<int64_t>(0, step.min * last),
                base.max + std::max<int64_t>(0, step.max * last)};
      }
#define ASSAY_CASE(Kind)                                              \
  case ExprKind::k##Kind: {                                           \
    const struct expr::Kind* n = e.As<struct expr::Kind>();           \
    if (!Analysable(n->a.dtype())) return RangeOf(e.dtype());         \
    return BinaryBounds(e.kind(), Eval(n->a), Eval(n->b), e.dtype()); \
  }
        ASSAY_EXPR_BINARY_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
      default:
        return RangeOf(e.dtype());
    }
  }

  const VarBounds& bounds_;
};

}  // namespace

ConstInterval ConstBounds(const Expr& e, const VarBounds& bounds) {
  if (e.dtype().is_float()) return {INT64_MIN, INT64_MAX};
  return Evaluator(bounds).Eval(e);
}

ConstInterval LoopBounds(const Expr& min, const Expr& extent,
                         const VarBounds& bounds) {
  const ConstInterval first = ConstBounds(min, bounds);
  const int64_t count = ConstBounds(extent, bounds).max;
  return {first.min, first.max + std::max<int64_t>(count - 1, 0)};
}

}  // namespace assay::tir
