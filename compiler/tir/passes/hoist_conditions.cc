#include "compiler/tir/passes/hoist_conditions.h"

#include <optional>
#include <utility>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/tir/passes/stmt_count.h"
#include "compiler/tir/visitor.h"

namespace assay::tir {
namespace {

constexpr int64_t kMaxCopiedStores = 4;

// A conjunction split into loop-invariant and variant operands; undefined means
// true.
struct Split {
  Expr fixed, varying;
};

Expr Conjunction(const Expr& a, const Expr& b) {
  if (!a.defined()) return b;
  return b.defined() ? a && b : a;
}

bool IsFixed(const Expr& condition, const expr::VarSet& loops) {
  if (condition.dtype() != DType::Bool()) return false;
  if (expr::HasLoad(condition)) return false;
  for (const Expr& var : expr::FreeVars(condition)) {
    if (loops.count(var) > 0) return false;
  }
  return true;
}

Split SplitBy(const Expr& condition, const expr::VarSet& loops) {
  if (IsFixed(condition, loops)) return {condition, Expr()};
  const auto* both = condition.As<expr::And>();
  if (both == nullptr) return {Expr(), condition};
  const Split a = SplitBy(both->a, loops), b = SplitBy(both->b, loops);
  return {Conjunction(a.fixed, b.fixed), Conjunction(a.varying, b.varying)};
}

Stmt WithBody(const For& loop, Stmt body) {
  return For::Make(loop.var, loop.min, loop.extent, loop.for_kind,
                   std::move(body));
}

// The perfect loop nest `s` with the value of its only store replaced.
Stmt WithValue(const Stmt& s, const Expr& value) {
  if (const auto* loop = s.As<For>()) {
    return WithBody(*loop, WithValue(loop->body, value));
  }
  const auto* store = s.As<Store>();
  return Store::Make(store->buffer, store->indices, value);
}

// The Select that determines the stored value. If `adds`, the value is
// accumulated and the other arm is 0.
struct StoredSelect {
  const expr::Select* select = nullptr;
  bool adds = false;
};

StoredSelect FindSelect(const Store& store) {
  if (const auto* select = store.value.As<expr::Select>()) return {select};
  const auto* sum = store.value.As<expr::Add>();
  if (sum == nullptr) return {};
  const auto* select = sum->b.As<expr::Select>();
  if (select == nullptr) return {};
  const Expr zero = expr::Const(store.value.dtype(), 0);
  if (!expr::StructurallyEqual(select->false_value, zero)) return {};
  const Expr there = expr::Load::Make(store.buffer, store.indices);
  if (!expr::StructurallyEqual(sum->a, there)) return {};
  return {select, true};
}

class Hoister : public StmtMutator {
 protected:
  Stmt MutateFor(const Stmt& s, const For* loop) override {
    if (loop->for_kind == ForKind::kSerial ||
        loop->for_kind == ForKind::kParallel) {
      const Stmt hoisted = HoistSelect(s, *loop);
      if (hoisted.defined()) return Mutate(hoisted);
    }
    const Stmt body = Mutate(loop->body);
    const Stmt hoisted = HoistBranch(*loop, body);
    if (hoisted.defined()) return hoisted;
    return body.same_as(loop->body) ? s : WithBody(*loop, body);
  }

  // Moves the condition out of the pragma as well, which applies to the loop.
  Stmt MutatePragma(const Stmt& s, const Pragma* node) override {
    const Stmt body = Mutate(node->body);
    if (body.same_as(node->body)) return s;
    const auto* branch = body.As<IfThenElse>();
    const auto with_pragma = [&](const Stmt& inner) {
      return inner.defined() ? Pragma::Make(node->key, node->value, inner)
                             : inner;
    };
    if (branch == nullptr) return with_pragma(body);
    return IfThenElse::Make(branch->condition, with_pragma(branch->then_body),
                            with_pragma(branch->else_body));
  }

 private:
  // Hoists the invariant part of the condition of `body` out of `loop`;
  // undefined if there is none.
  static Stmt HoistBranch(const For& loop, const Stmt& body) {
    const auto* branch = body.As<IfThenElse>();
    if (branch == nullptr) return Stmt();
    const Split split = SplitBy(branch->condition, {loop.var});
    if (!split.fixed.defined()) return Stmt();
    const Stmt& otherwise = branch->else_body;
    if (!split.varying.defined()) {
      return IfThenElse::Make(
          split.fixed, WithBody(loop, branch->then_body),
          otherwise.defined() ? WithBody(loop, otherwise) : Stmt());
    }
    if (otherwise.defined() &&
        CountUnrolledStores(otherwise) > kMaxCopiedStores) {
      return Stmt();
    }
    return IfThenElse::Make(
        split.fixed,
        WithBody(loop,
                 IfThenElse::Make(split.varying, branch->then_body, otherwise)),
        otherwise.defined() ? WithBody(loop, otherwise) : Stmt());
  }

  // Hoists the invariant condition of the Select that a perfect nest stores or
  // accumulates.
  static Stmt HoistSelect(const Stmt& s, const For& loop) {
    expr::VarSet loops = {loop.var};
    const Stmt* body = &loop.body;
    while (const auto* inner = body->As<For>()) {
      loops.insert(inner->var);
      body = &inner->body;
    }
    const auto* store = body->As<Store>();
    if (store == nullptr) return Stmt();
    const auto [select, adds] = FindSelect(*store);
    if (select == nullptr) return Stmt();
    const Split split = SplitBy(select->condition, loops);
    if (!split.fixed.defined()) return Stmt();
    const Expr value = split.varying.defined()
                           ? expr::SelectOf(split.varying, select->true_value,
                                            select->false_value)
                           : select->true_value;
    if (adds) {
      const Expr there = expr::Load::Make(store->buffer, store->indices);
      return IfThenElse::Make(split.fixed, WithValue(s, there + value));
    }
    return IfThenElse::Make(split.fixed, WithValue(s, value),
                            WithValue(s, select->false_value));
  }
};

}  // namespace

Stmt HoistConditions(const Stmt& s) { return Hoister().Mutate(s); }

}  // namespace assay::tir
