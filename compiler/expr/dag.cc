#include "compiler/expr/dag.h"

#include "runtime/base/check.h"

namespace assay::expr {
namespace {

class Substituter : public DagMutator {
 public:
  explicit Substituter(const VarMap<Expr>& values) : values_(values) {}

 private:
  Expr MutateVar(const Expr& e, const Var*) override {
    const auto found = values_.find(e);
    if (found == values_.end()) return e;
    CHECK_EQ(found->second.dtype(), e.dtype()) << "for " << e;
    return found->second;
  }

  const VarMap<Expr>& values_;
};

}  // namespace

bool IsLeaf(const Expr& e) {
  return e.kind() == ExprKind::kIntImm || e.kind() == ExprKind::kFloatImm ||
         e.kind() == ExprKind::kVar;
}

void DagVisitor::Visit(const Expr& e) {
  CHECK(e.defined());
  if (IsLeaf(e) || visited_.insert(e.get()).second) ExprVisitor::Visit(e);
}

Expr DagMutator::Mutate(const Expr& e) {
  CHECK(e.defined());
  if (IsLeaf(e)) return ExprMutator::Mutate(e);
  const auto found = results_.find(e.get());
  if (found != results_.end()) return found->second;
  Expr result = ExprMutator::Mutate(e);
  results_.emplace(e.get(), result);
  return result;
}

Expr SubstituteInDag(const Expr& e, const VarMap<Expr>& values) {
  return values.empty() ? e : Substituter(values).Mutate(e);
}

}  // namespace assay::expr
