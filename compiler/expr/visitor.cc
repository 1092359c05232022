#include "compiler/expr/visitor.h"

#include <utility>

#include "runtime/base/check.h"

namespace assay::expr {

void ExprVisitor::Visit(const Expr& e) {
  CHECK(e.defined());
  switch (e.kind()) {
#define ASSAY_CASE(Kind)                                   \
  case ExprKind::k##Kind:                                  \
    Visit##Kind(static_cast<const struct Kind*>(e.get())); \
    return;
    ASSAY_EXPR_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
  }
}

void ExprVisitor::VisitAll(const std::vector<Expr>& exprs) {
  for (const Expr& e : exprs) Visit(e);
}

void ExprVisitor::VisitIntImm(const IntImm*) {}
void ExprVisitor::VisitFloatImm(const FloatImm*) {}
void ExprVisitor::VisitVar(const Var*) {}
void ExprVisitor::VisitCast(const Cast* node) { Visit(node->value); }
void ExprVisitor::VisitNot(const Not* node) { Visit(node->a); }

#define ASSAY_DEFINE(Kind)                                 \
  void ExprVisitor::Visit##Kind(const struct Kind* node) { \
    Visit(node->a);                                        \
    Visit(node->b);                                        \
  }
ASSAY_EXPR_BINARY_KINDS(ASSAY_DEFINE)
#undef ASSAY_DEFINE

void ExprVisitor::VisitSelect(const Select* node) {
  Visit(node->condition);
  Visit(node->true_value);
  Visit(node->false_value);
}

void ExprVisitor::VisitCall(const Call* node) { VisitAll(node->args); }

void ExprVisitor::VisitRamp(const Ramp* node) {
  Visit(node->base);
  Visit(node->stride);
}

void ExprVisitor::VisitBroadcast(const Broadcast* node) { Visit(node->value); }

void ExprVisitor::VisitLoad(const Load* node) { VisitAll(node->indices); }
void ExprVisitor::VisitRead(const Read* node) { VisitAll(node->indices); }
void ExprVisitor::VisitReduce(const Reduce* node) { VisitAll(node->sources); }

Expr ExprMutator::Mutate(const Expr& e) {
  CHECK(e.defined());
  switch (e.kind()) {
#define ASSAY_CASE(Kind)  \
  case ExprKind::k##Kind: \
    return Mutate##Kind(e, static_cast<const struct Kind*>(e.get()));
    ASSAY_EXPR_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
  }
  CHECK(false);
  return Expr();
}

std::vector<Expr> ExprMutator::MutateAll(const std::vector<Expr>& exprs,
                                         bool* changed) {
  std::vector<Expr> result;
  result.reserve(exprs.size());
  for (const Expr& e : exprs) {
    result.push_back(Mutate(e));
    if (!result.back().same_as(e)) *changed = true;
  }
  return result;
}

Expr ExprMutator::MutateIntImm(const Expr& e, const IntImm*) { return e; }
Expr ExprMutator::MutateFloatImm(const Expr& e, const FloatImm*) { return e; }
Expr ExprMutator::MutateVar(const Expr& e, const Var*) { return e; }

Expr ExprMutator::MutateCast(const Expr& e, const Cast* node) {
  Expr value = Mutate(node->value);
  if (value.same_as(node->value)) return e;
  const DType type = node->dtype.WithLanes(value.dtype().lanes());
  return Cast::Make(type, std::move(value));
}

Expr ExprMutator::MutateNot(const Expr& e, const Not* node) {
  Expr a = Mutate(node->a);
  return a.same_as(node->a) ? e : Not::Make(std::move(a));
}

#define ASSAY_DEFINE(Kind)                                                 \
  Expr ExprMutator::Mutate##Kind(const Expr& e, const struct Kind* node) { \
    Expr a = Mutate(node->a);                                              \
    Expr b = Mutate(node->b);                                              \
    if (a.same_as(node->a) && b.same_as(node->b)) return e;                \
    return Kind::Make(std::move(a), std::move(b));                         \
  }
ASSAY_EXPR_BINARY_KINDS(ASSAY_DEFINE)
#undef ASSAY_DEFINE

Expr ExprMutator::MutateSelect(const Expr& e, const Select* node) {
  Expr condition = Mutate(node->condition);
  Expr true_value = Mutate(node->true_value);
  Expr false_value = Mutate(node->false_value);
  if (condition.same_as(node->condition) &&
      true_value.same_as(node->true_value) &&
      false_value.same_as(node->false_value)) {
    return e;
  }
  return Select::Make(std::move(condition), std::move(true_value),
                      std::move(false_value));
}

Expr ExprMutator::MutateCall(const Expr& e, const Call* node) {
  bool changed = false;
  std::vector<Expr> args = MutateAll(node->args, &changed);
  if (!changed) return e;
  // Only reinterpret may have another number of lanes than its argument.
  const int lanes = args[0].dtype().lanes() * node->dtype.lanes() /
                    node->args[0].dtype().lanes();
  return Call::Make(node->dtype.WithLanes(lanes), node->intrinsic,
                    std::move(args));
}

Expr ExprMutator::MutateRamp(const Expr& e, const Ramp* node) {
  Expr base = Mutate(node->base);
  Expr stride = Mutate(node->stride);
  if (base.same_as(node->base) && stride.same_as(node->stride)) return e;
  return Ramp::Make(std::move(base), std::move(stride), node->dtype.lanes());
}

Expr ExprMutator::MutateBroadcast(const Expr& e, const Broadcast* node) {
  Expr value = Mutate(node->value);
  if (value.same_as(node->value)) return e;
  return Broadcast::Make(std::move(value), node->dtype.lanes());
}

Expr ExprMutator::MutateLoad(const Expr& e, const Load* node) {
  bool changed = false;
  std::vector<Expr> indices = MutateAll(node->indices, &changed);
  return changed ? Load::Make(node->buffer, std::move(indices)) : e;
}

Expr ExprMutator::MutateRead(const Expr& e, const Read* node) {
  bool changed = false;
  std::vector<Expr> indices = MutateAll(node->indices, &changed);
  return changed ? Read::Make(node->tensor, std::move(indices)) : e;
}

Expr ExprMutator::MutateReduce(const Expr& e, const Reduce* node) {
  bool changed = false;
  std::vector<Expr> sources = MutateAll(node->sources, &changed);
  if (!changed) return e;
  return Reduce::Make(node->reducer, std::move(sources), node->axes,
                      node->value);
}

}  // namespace assay::expr
