#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/simplify/compare.h"
#include "compiler/tir/simplify/exact.h"
#include "compiler/tir/simplify/simplify.h"
#include "compiler/tir/visitor.h"

namespace assay::tir {
namespace {

using expr::Expr;

Stmt Nothing() { return Block::Make({}); }

bool IsNothing(const Stmt& s) {
  const Block* block = s.As<Block>();
  return block != nullptr && block->stmts.empty();
}

class StmtSimplifier : public StmtMutator {
 public:
  explicit StmtSimplifier(const VarBounds& bounds) : bounds_(bounds) {}

  using StmtMutator::Mutate;
  Expr Mutate(const Expr& e) override { return Simplify(e, bounds_); }

 protected:
  Stmt MutateFor(const Stmt& s, const For* loop) override {
    const Expr min = Mutate(loop->min), extent = Mutate(loop->extent);
    if (ConstBounds(extent, bounds_).max <= 0) return Nothing();
    if (expr::IsConstInt(extent, 1)) {
      return Mutate(tir::Substitute(loop->body, {{loop->var, min}}));
    }
    bounds_[loop->var] = LoopBounds(min, extent, bounds_);
    const Stmt body = Mutate(loop->body);
    bounds_.erase(loop->var);
    if (IsNothing(body)) return body;
    if (min.same_as(loop->min) && extent.same_as(loop->extent) &&
        body.same_as(loop->body)) {
      return s;
    }
    return For::Make(loop->var, min, extent, loop->for_kind, body);
  }

  Stmt MutateIfThenElse(const Stmt& s, const IfThenElse* branch) override {
    const Expr condition = Mutate(branch->condition);
    if (expr::IsConstInt(condition, 1)) return Mutate(branch->then_body);
    if (expr::IsConstInt(condition, 0)) {
      return branch->else_body.defined() ? Mutate(branch->else_body)
                                         : Nothing();
    }
    const Stmt then_body =
        Simplify(branch->then_body, Assume(condition, true, bounds_));
    Stmt else_body;
    if (branch->else_body.defined()) {
      else_body =
          Simplify(branch->else_body, Assume(condition, false, bounds_));
    }
    if (else_body.defined() && IsNothing(else_body)) else_body = Stmt();
    if (IsNothing(then_body)) {
      if (!else_body.defined()) return then_body;
      return IfThenElse::Make(Mutate(!condition), else_body);
    }
    if (condition.same_as(branch->condition) &&
        then_body.same_as(branch->then_body) &&
        else_body.same_as(branch->else_body)) {
      return s;
    }
    return IfThenElse::Make(condition, then_body, else_body);
  }

  Stmt MutateAllocate(const Stmt& s, const Allocate* node) override {
    const Stmt body = Mutate(node->body);
    if (IsNothing(body)) return body;
    return body.same_as(node->body) ? s : Allocate::Make(node->buffer, body);
  }

  Stmt MutatePragma(const Stmt& s, const Pragma* node) override {
    const Stmt body = Mutate(node->body);
    if (IsNothing(body)) return body;
    return body.same_as(node->body)
               ? s
               : Pragma::Make(node->key, node->value, body);
  }

  Stmt MutateLet(const Stmt& s, const Let* let) override {
    const Expr value = Mutate(let->value);
    // Constants and plain variables are substituted.
    if (expr::AsConstInt(value).has_value() || value.As<expr::Var>()) {
      return Mutate(tir::Substitute(let->body, {{let->var, value}}));
    }
    ConstInterval range = ConstBounds(value, bounds_);
    range.is_data = IsData(value, bounds_);
    bounds_[let->var] = range;
    const Stmt body = Mutate(let->body);
    bounds_.erase(let->var);
    if (IsNothing(body)) return body;
    if (value.same_as(let->value) && body.same_as(let->body)) return s;
    return Let::Make(let->var, value, body);
  }

 private:
  VarBounds bounds_;
};

}  // namespace

Stmt Simplify(const Stmt& s, const VarBounds& bounds) {
  return StmtSimplifier(bounds).Mutate(s);
}

}  // namespace assay::tir
