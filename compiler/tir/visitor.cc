#include "compiler/tir/visitor.h"

#include <utility>

#include "runtime/base/check.h"

namespace assay::tir {

void StmtVisitor::Visit(const Stmt& s) {
  CHECK(s.defined());
  switch (s.kind()) {
#define ASSAY_CASE(Kind)                            \
  case StmtKind::k##Kind:                           \
    Visit##Kind(static_cast<const Kind*>(s.get())); \
    return;
    ASSAY_STMT_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
  }
}

void StmtVisitor::VisitFor(const For* node) {
  Visit(node->min);
  Visit(node->extent);
  Visit(node->body);
}

void StmtVisitor::VisitStore(const Store* node) {
  VisitAll(node->indices);
  Visit(node->value);
}

void StmtVisitor::VisitAllocate(const Allocate* node) { Visit(node->body); }

void StmtVisitor::VisitIfThenElse(const IfThenElse* node) {
  Visit(node->condition);
  Visit(node->then_body);
  if (node->else_body.defined()) Visit(node->else_body);
}

void StmtVisitor::VisitBlock(const Block* node) {
  for (const Stmt& s : node->stmts) Visit(s);
}

void StmtVisitor::VisitPragma(const Pragma* node) { Visit(node->body); }

void StmtVisitor::VisitLet(const Let* node) {
  Visit(node->value);
  Visit(node->body);
}

void StmtVisitor::VisitPrefetch(const Prefetch* node) { Visit(node->element); }

Stmt StmtMutator::Mutate(const Stmt& s) {
  CHECK(s.defined());
  switch (s.kind()) {
#define ASSAY_CASE(Kind)  \
  case StmtKind::k##Kind: \
    return Mutate##Kind(s, static_cast<const Kind*>(s.get()));
    ASSAY_STMT_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
  }
  CHECK(false);
  return Stmt();
}

Stmt StmtMutator::MutateFor(const Stmt& s, const For* node) {
  Expr min = Mutate(node->min);
  Expr extent = Mutate(node->extent);
  Stmt body = Mutate(node->body);
  if (min.same_as(node->min) && extent.same_as(node->extent) &&
      body.same_as(node->body)) {
    return s;
  }
  return For::Make(node->var, std::move(min), std::move(extent), node->for_kind,
                   std::move(body));
}

Stmt StmtMutator::MutateStore(const Stmt& s, const Store* node) {
  bool changed = false;
  std::vector<Expr> indices = MutateAll(node->indices, &changed);
  Expr value = Mutate(node->value);
  if (!changed && value.same_as(node->value)) return s;
  return Store::Make(node->buffer, std::move(indices), std::move(value));
}

Stmt StmtMutator::MutateAllocate(const Stmt& s, const Allocate* node) {
  Stmt body = Mutate(node->body);
  if (body.same_as(node->body)) return s;
  return Allocate::Make(node->buffer, std::move(body));
}

Stmt StmtMutator::MutateIfThenElse(const Stmt& s, const IfThenElse* node) {
  Expr condition = Mutate(node->condition);
  Stmt then_body = Mutate(node->then_body);
  Stmt else_body = node->else_body.defined() ? Mutate(node->else_body) : Stmt();
  if (condition.same_as(node->condition) &&
      then_body.same_as(node->then_body) &&
      else_body.same_as(node->else_body)) {
    return s;
  }
  return IfThenElse::Make(std::move(condition), std::move(then_body),
                          std::move(else_body));
}

Stmt StmtMutator::MutateBlock(const Stmt& s, const Block* node) {
  std::vector<Stmt> stmts;
  stmts.reserve(node->stmts.size());
  bool changed = false;
  for (const Stmt& child : node->stmts) {
    stmts.push_back(Mutate(child));
    if (!stmts.back().same_as(child)) changed = true;
  }
  return changed ? Block::Make(std::move(stmts)) : s;
}

Stmt StmtMutator::MutatePragma(const Stmt& s, const Pragma* node) {
  Stmt body = Mutate(node->body);
  if (body.same_as(node->body)) return s;
  return Pragma::Make(node->key, node->value, std::move(body));
}

Stmt StmtMutator::MutateLet(const Stmt& s, const Let* node) {
  Expr value = Mutate(node->value);
  Stmt body = Mutate(node->body);
  if (value.same_as(node->value) && body.same_as(node->body)) return s;
  return Let::Make(node->var, std::move(value), std::move(body));
}

Stmt StmtMutator::MutatePrefetch(const Stmt& s, const Prefetch* node) {
  Expr element = Mutate(node->element);
  if (element.same_as(node->element)) return s;
  return Prefetch::Make(std::move(element));
}

namespace {

class Substituter : public StmtMutator {
 public:
  explicit Substituter(const expr::VarMap<Expr>& values) : values_(values) {}
  using StmtMutator::Mutate;
  Expr Mutate(const Expr& e) override { return expr::Substitute(e, values_); }

 private:
  const expr::VarMap<Expr>& values_;
};

class UseFinder : public StmtVisitor {
 public:
  explicit UseFinder(const expr::Var* var) : var_(var) {}
  bool found = false;

 private:
  void VisitVar(const expr::Var* node) override { found |= node == var_; }
  const expr::Var* var_;
};

}  // namespace

Stmt Substitute(const Stmt& s, const expr::VarMap<Expr>& values) {
  return values.empty() ? s : Substituter(values).Mutate(s);
}

bool UsesVar(const Stmt& s, const Expr& var) {
  UseFinder finder(var.As<expr::Var>());
  finder.Visit(s);
  return finder.found;
}

}  // namespace assay::tir
