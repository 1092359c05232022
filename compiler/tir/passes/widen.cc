#include "compiler/tir/passes/widen.h"

#include <utility>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/substitute.h"
#include "compiler/tir/simplify/exact.h"
#include "compiler/tir/simplify/linear.h"
#include "runtime/base/check.h"

namespace assay::tir {

Expr LaneAccessMutator::LaneIndex(const Expr& index) const {
  return index * lanes_ + lane_;
}

Expr LaneAccessMutator::MutateLoad(const Expr& e, const expr::Load* node) {
  auto found = expanded_.find(node->buffer.get());
  if (found == expanded_.end()) return StmtMutator::MutateLoad(e, node);
  return expr::Load::Make(found->second, {LaneIndex(Mutate(node->indices[0]))});
}

Stmt LaneAccessMutator::MutateStore(const Stmt& s, const Store* node) {
  auto found = expanded_.find(node->buffer.get());
  if (found == expanded_.end()) return StmtMutator::MutateStore(s, node);
  return Store::Make(found->second, {LaneIndex(Mutate(node->indices[0]))},
                     Mutate(node->value));
}

Widener::Widener(const ExpandedBuffers& expanded, Expr var, const Expr& min,
                 int lanes)
    : LaneAccessMutator(expanded, lanes, expr::Ramp::Make(0, 1, lanes)),
      var_(std::move(var)),
      ramp_(expr::Ramp::Make(min, 1, lanes)) {}

Expr Widener::Broadcast(const Expr& e) const {
  return e.dtype().is_vector() ? e : expr::Broadcast::Make(e, lanes_);
}

Expr Widener::MutateVar(const Expr& e, const expr::Var*) {
  return e.same_as(var_) ? ramp_ : e;
}

#define ASSAY_DEFINE(Kind)                                                   \
  Expr Widener::Mutate##Kind(const Expr& e, const struct expr::Kind* node) { \
    const Expr a = Mutate(node->a), b = Mutate(node->b);                     \
    if (a.same_as(node->a) && b.same_as(node->b)) return e;                  \
    if (a.dtype() == b.dtype()) return expr::Kind::Make(a, b);               \
    return expr::Kind::Make(Broadcast(a), Broadcast(b));                     \
  }
ASSAY_EXPR_BINARY_KINDS(ASSAY_DEFINE)
#undef ASSAY_DEFINE

Expr Widener::MutateSelect(const Expr& e, const expr::Select* node) {
  const Expr condition = Mutate(node->condition);
  const Expr a = Mutate(node->true_value), b = Mutate(node->false_value);
  if (condition.same_as(node->condition) && a.same_as(node->true_value) &&
      b.same_as(node->false_value)) {
    return e;
  }
  return expr::Select::Make(condition, Broadcast(a), Broadcast(b));
}

Expr Widener::MutateCall(const Expr& e, const expr::Call* node) {
  bool changed = false;
  std::vector<Expr> args = MutateAll(node->args, &changed);
  if (!changed) return e;
  for (Expr& arg : args) arg = Broadcast(arg);
  return expr::Call::Make(node->dtype.WithLanes(lanes_), node->intrinsic,
                          std::move(args));
}

Stmt Widener::MutateStore(const Stmt&, const Store* node) {
  CHECK_EQ(node->indices.size(), 1u) << "Flatten runs before Vectorize";
  auto found = expanded_.find(node->buffer.get());
  Expr index = Mutate(node->indices[0]);
  if (found != expanded_.end()) index = LaneIndex(index);
  return Store::Make(found != expanded_.end() ? found->second : node->buffer,
                     {index}, Broadcast(Mutate(node->value)));
}

namespace {

// For a < b or a <= b: sufficient is the lane with the largest a - b.
std::optional<Expr> HoldsAtWorstLane(const Expr& condition, const Expr& a,
                                     const Expr& b, const Expr& var,
                                     const Expr& min, int lanes) {
  if (a.dtype() != DType::Int32()) return std::nullopt;
  // Data may overflow between the first and the last lane.
  for (const Expr& side : {a, b}) {
    if (expr::UsesVar(side, var) && IsData(side, {})) return std::nullopt;
  }
  const Linear difference = Difference(a, b);
  int64_t slope = 0;
  for (const auto& [term, coefficient] : difference.terms) {
    if (term.same_as(var)) {
      slope = coefficient;
    } else if (expr::UsesVar(term, var)) {
      return std::nullopt;
    }
  }
  const Expr worst = slope > 0 ? min + (lanes - 1) : min;
  return expr::Substitute(condition, {{var, worst}});
}

}  // namespace

std::optional<Expr> HoldsForAllLanes(const Expr& condition, const Expr& var,
                                     const Expr& min, int lanes) {
  if (!expr::UsesVar(condition, var)) return condition;
  if (const auto* n = condition.As<expr::And>()) {
    const auto a = HoldsForAllLanes(n->a, var, min, lanes);
    const auto b = HoldsForAllLanes(n->b, var, min, lanes);
    if (!a.has_value() || !b.has_value()) return std::nullopt;
    return *a && *b;
  }
  if (const auto* n = condition.As<expr::LT>()) {
    return HoldsAtWorstLane(condition, n->a, n->b, var, min, lanes);
  }
  if (const auto* n = condition.As<expr::LE>()) {
    return HoldsAtWorstLane(condition, n->a, n->b, var, min, lanes);
  }
  return std::nullopt;
}

}  // namespace assay::tir
