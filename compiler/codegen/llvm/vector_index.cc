#include "compiler/codegen/llvm/vector_index.h"

#include "compiler/expr/expr_ops.h"

namespace assay::codegen {
namespace {

using expr::Expr;
using expr::ExprKind;

// The operands of a binary node; undefined for other nodes.
std::pair<Expr, Expr> OperandsOf(const Expr& e) {
  switch (e.kind()) {
#define ASSAY_CASE(Kind)  \
  case ExprKind::k##Kind: \
    return {e.As<struct expr::Kind>()->a, e.As<struct expr::Kind>()->b};
    ASSAY_EXPR_BINARY_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
    default:
      return {};
  }
}

Expr MakeBinary(ExprKind kind, const Expr& a, const Expr& b) {
  switch (kind) {
    case ExprKind::kAdd:
      return a + b;
    case ExprKind::kSub:
      return a - b;
    case ExprKind::kMul:
      return a * b;
#define ASSAY_CASE(Kind)  \
  case ExprKind::k##Kind: \
    return expr::Kind::Make(a, b);
      ASSAY_CASE(Div)
      ASSAY_CASE(Mod)
      ASSAY_CASE(EQ)
      ASSAY_CASE(NE)
      ASSAY_CASE(LT)
      ASSAY_CASE(LE)
      ASSAY_CASE(And)
      ASSAY_CASE(Or)
#undef ASSAY_CASE
    case ExprKind::kMin:
      return expr::Min(a, b);
    case ExprKind::kMax:
      return expr::Max(a, b);
    default:
      return Expr();
  }
}

// A vector whose lane k is
//   base + floor(k / lanes) * row + (k mod lanes) * lane.
struct Grid {
  Expr base;
  int64_t row = 0, lane = 0;
};

std::optional<Grid> AsGrid(const Expr& e, int lanes) {
  if (const std::optional<IndexRamp> ramp = AsRamp(e)) {
    return Grid{ramp->base, ramp->stride * lanes, ramp->stride};
  }
  const auto [a, b] = OperandsOf(e);
  if (!a.defined()) return std::nullopt;
  const std::optional<Expr> factor = AsUniform(b);
  const std::optional<int64_t> constant =
      factor.has_value() ? expr::AsConstInt(*factor) : std::nullopt;
  if (e.kind() == ExprKind::kDiv) {
    const std::optional<IndexRamp> ramp = AsRamp(a);
    if (!ramp.has_value() || !expr::IsConstInt(ramp->base, 0) ||
        ramp->stride != 1 || constant != lanes) {
      return std::nullopt;
    }
    return Grid{Expr(0), 1, 0};
  }
  const std::optional<Grid> x = AsGrid(a, lanes);
  if (!x.has_value()) return std::nullopt;
  if (e.kind() == ExprKind::kMul && constant.has_value()) {
    return Grid{x->base * *factor, x->row * *constant, x->lane * *constant};
  }
  if (e.kind() != ExprKind::kAdd) return std::nullopt;
  const std::optional<Grid> y = AsGrid(b, lanes);
  if (!y.has_value()) return std::nullopt;
  return Grid{x->base + y->base, x->row + y->row, x->lane + y->lane};
}

}  // namespace

std::optional<IndexRamp> AsRamp(const Expr& e) {
  if (const auto* ramp = e.As<expr::Ramp>()) {
    const std::optional<int64_t> stride = expr::AsConstInt(ramp->stride);
    if (!stride.has_value()) return std::nullopt;
    return IndexRamp{ramp->base, *stride};
  }
  if (const std::optional<Expr> scalar = AsUniform(e)) {
    return IndexRamp{*scalar, 0};
  }
  const auto [a, b] = OperandsOf(e);
  if (!a.defined()) return std::nullopt;
  const std::optional<IndexRamp> x = AsRamp(a), y = AsRamp(b);
  if (!x.has_value() || !y.has_value()) return std::nullopt;
  switch (e.kind()) {
    case ExprKind::kAdd:
      return IndexRamp{x->base + y->base, x->stride + y->stride};
    case ExprKind::kSub:
      return IndexRamp{x->base - y->base, x->stride - y->stride};
    case ExprKind::kMul: {
      const std::optional<int64_t> x_factor = expr::AsConstInt(x->base);
      const std::optional<int64_t> y_factor = expr::AsConstInt(y->base);
      if (y->stride == 0 && y_factor.has_value()) {
        return IndexRamp{x->base * y->base, x->stride * *y_factor};
      }
      if (x->stride == 0 && x_factor.has_value()) {
        return IndexRamp{x->base * y->base, y->stride * *x_factor};
      }
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

std::optional<Expr> AsUniform(const Expr& e) {
  if (e.dtype().is_scalar()) return e;
  if (const auto* broadcast = e.As<expr::Broadcast>()) {
    return broadcast->value;
  }
  if (const auto* negation = e.As<expr::Not>()) {
    const std::optional<Expr> a = AsUniform(negation->a);
    if (a.has_value()) return expr::Not::Make(*a);
    return std::nullopt;
  }
  const auto [a, b] = OperandsOf(e);
  if (!a.defined()) return std::nullopt;
  const std::optional<Expr> x = AsUniform(a), y = AsUniform(b);
  if (!x.has_value() || !y.has_value()) return std::nullopt;
  return MakeBinary(e.kind(), *x, *y);
}

std::optional<Expr> LaneOf(const Expr& e, int lane) {
  if (const std::optional<Expr> scalar = AsUniform(e)) return scalar;
  if (const auto* ramp = e.As<expr::Ramp>()) {
    return ramp->base + ramp->stride * lane;
  }
  if (const auto* negation = e.As<expr::Not>()) {
    const std::optional<Expr> a = LaneOf(negation->a, lane);
    if (a.has_value()) return expr::Not::Make(*a);
    return std::nullopt;
  }
  if (const auto* select = e.As<expr::Select>()) {
    const std::optional<Expr> c = LaneOf(select->condition, lane);
    const std::optional<Expr> t = LaneOf(select->true_value, lane);
    const std::optional<Expr> f = LaneOf(select->false_value, lane);
    if (!c.has_value() || !t.has_value() || !f.has_value()) {
      return std::nullopt;
    }
    return expr::Select::Make(*c, *t, *f);
  }
  const auto [a, b] = OperandsOf(e);
  if (!a.defined()) return std::nullopt;
  const std::optional<Expr> x = LaneOf(a, lane), y = LaneOf(b, lane);
  if (!x.has_value() || !y.has_value()) return std::nullopt;
  return MakeBinary(e.kind(), *x, *y);
}

std::optional<IndexRows> AsRows(const Expr& e, int lanes) {
  const std::optional<Grid> grid = AsGrid(e, lanes);
  if (!grid.has_value() || grid->lane != 1) return std::nullopt;
  return IndexRows{grid->base, grid->row};
}

std::optional<TileAccess> AsTileLoad(const Expr& e) {
  const auto* call = e.As<expr::Call>();
  const bool is_reinterpreted =
      call != nullptr && call->intrinsic == expr::Intrinsic::kReinterpret;
  const auto* load = (is_reinterpreted ? call->args[0] : e).As<expr::Load>();
  if (load == nullptr || load->indices.size() != 1) return std::nullopt;
  const std::optional<IndexRows> rows =
      AsRows(load->indices[0], load->dtype.lanes() / expr::kTileRows);
  if (!rows.has_value()) return std::nullopt;
  return TileAccess{load->buffer, *rows};
}

}  // namespace assay::codegen
