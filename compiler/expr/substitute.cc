#include "compiler/expr/substitute.h"

#include "compiler/expr/visitor.h"
#include "runtime/base/check.h"

namespace assay::expr {
namespace {

class Substituter : public ExprMutator {
 public:
  explicit Substituter(const VarMap<Expr>& values) : values_(values) {}

 private:
  Expr MutateVar(const Expr& e, const Var*) override {
    auto found = values_.find(e);
    if (found == values_.end()) return e;
    CHECK_EQ(found->second.dtype(), e.dtype()) << "for " << e;
    return found->second;
  }

  const VarMap<Expr>& values_;
};

class Collector : public ExprVisitor {
 public:
  VarSet vars;

 private:
  void VisitVar(const Var* node) override { vars.insert(Expr(node)); }
  void VisitReduce(const Reduce* node) override {
    ExprVisitor::VisitReduce(node);
    for (const ReduceAxis& axis : node->axes) vars.erase(axis.var);
  }
};

}  // namespace

Expr Substitute(const Expr& e, const VarMap<Expr>& values) {
  return values.empty() ? e : Substituter(values).Mutate(e);
}

std::vector<Expr> Combine(const Reducer& reducer,
                          const std::vector<Expr>& so_far,
                          const std::vector<Expr>& next) {
  VarMap<Expr> values;
  for (int i = 0; i < reducer.size(); ++i) {
    values[reducer->lhs[i]] = so_far[i];
    values[reducer->rhs[i]] = next[i];
  }
  std::vector<Expr> results;
  for (const Expr& result : reducer->results) {
    results.push_back(Substitute(result, values));
  }
  return results;
}

bool UsesVar(const Expr& e, const Expr& var) {
  return FreeVars(e).count(var) > 0;
}

bool HasLoad(const Expr& e) {
  class Finder : public ExprVisitor {
   public:
    bool found = false;

   private:
    void VisitLoad(const Load*) override { found = true; }
  };
  Finder finder;
  finder.Visit(e);
  return finder.found;
}

VarSet FreeVars(const Expr& e) {
  Collector collector;
  collector.Visit(e);
  return collector.vars;
}

}  // namespace assay::expr
