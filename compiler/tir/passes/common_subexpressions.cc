#include "compiler/tir/passes/common_subexpressions.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/expr/substitute.h"
#include "compiler/tir/visitor.h"

namespace assay::tir {
namespace {

using expr::ExprKind;

// Returns true if `e`, given its operands, is expensive enough to bind, and
// cannot fault where the program might not have evaluated it.
bool IsWorthAName(const Expr& e) {
  if (e.dtype() != DType::Int32()) return false;
  switch (e.kind()) {
    case ExprKind::kDiv:
      return expr::AsConstInt(e.As<expr::Div>()->b).value_or(0) > 0;
    case ExprKind::kMod:
      return expr::AsConstInt(e.As<expr::Mod>()->b).value_or(0) > 0;
    case ExprKind::kMin:
    case ExprKind::kMax:
      return true;
    case ExprKind::kMul:
      return !expr::AsConstInt(e.As<expr::Mul>()->a).has_value() &&
             !expr::AsConstInt(e.As<expr::Mul>()->b).has_value();
    default:
      return false;
  }
}

// Finds the expressions in a loop's body that can be computed at its start and
// are used more than once. Operands precede their users.
class RepeatedFinder : public StmtVisitor {
 public:
  // `known` are the variables bound at the start of the body.
  explicit RepeatedFinder(const expr::VarSet& known) : known_(known) {}
  using StmtVisitor::Visit;

  std::vector<Expr> Repeated() const {
    std::vector<Expr> repeated;
    for (const Expr& e : order_) {
      if (uses_.at(e) > 1) repeated.push_back(e);
    }
    return repeated;
  }

  void Visit(const Expr& e) override {
    if (!IsWorthAName(e) || !IsKnown(e)) return StmtVisitor::Visit(e);
    // A use in an inner loop counts as several.
    const int uses = loops_ > 0 ? 2 : 1;
    const auto [found, is_new] = uses_.try_emplace(e, 0);
    found->second += uses;
    if (!is_new) return;
    // Other occurrences will use the variable, not the operands.
    const int outside = std::exchange(loops_, 0);
    StmtVisitor::Visit(e);
    loops_ = outside;
    order_.push_back(e);
  }

 private:
  void VisitFor(const For* loop) override {
    Visit(loop->min);
    Visit(loop->extent);
    ++loops_;
    Visit(loop->body);
    --loops_;
  }

  bool IsKnown(const Expr& e) const {
    const expr::VarSet vars = expr::FreeVars(e);
    return !expr::HasLoad(e) &&
           std::includes(known_.begin(), known_.end(), vars.begin(), vars.end(),
                         expr::VarLess());
  }

  const expr::VarSet& known_;
  std::map<Expr, int, expr::StructuralLess> uses_;
  std::vector<Expr> order_;
  int loops_ = 0;  // number of loops between the body and the statement
};

using Names = std::map<Expr, Expr, expr::StructuralLess>;

// Replaces bound expressions by their variables, innermost first.
class Namer : public StmtMutator {
 public:
  explicit Namer(const Names& names) : names_(names) {}
  using StmtMutator::Mutate;
  Expr Mutate(const Expr& e) override {
    Expr named = StmtMutator::Mutate(e);
    if (!IsWorthAName(named)) return named;
    const auto found = names_.find(named);
    return found == names_.end() ? named : found->second;
  }

 private:
  const Names& names_;
};

class Binder : public StmtMutator {
 public:
  using StmtMutator::Mutate;
  Expr Mutate(const Expr& e) override { return e; }

 protected:
  Stmt MutateFor(const Stmt& s, const For* loop) override {
    known_.insert(loop->var);
    const Stmt body = Bind(loop->body);
    known_.erase(loop->var);
    if (body.same_as(loop->body)) return s;
    return For::Make(loop->var, loop->min, loop->extent, loop->for_kind, body);
  }

  Stmt MutateLet(const Stmt& s, const Let* let) override {
    known_.insert(let->var);
    const Stmt body = Bind(let->body);
    known_.erase(let->var);
    return body.same_as(let->body) ? s : Let::Make(let->var, let->value, body);
  }

 private:
  Stmt Bind(Stmt body) {
    RepeatedFinder finder(known_);
    finder.Visit(body);
    Names names;
    std::vector<std::pair<Expr, Expr>> lets;
    for (const Expr& e : finder.Repeated()) {
      const Expr value = Namer(names).Mutate(e);
      const Expr name = expr::Var::Make(absl::StrCat("t", count_++));
      names[value] = name;
      lets.emplace_back(name, value);
      known_.insert(name);
    }
    if (!lets.empty()) body = Namer(names).Mutate(body);
    body = Mutate(body);
    for (auto it = lets.rbegin(); it != lets.rend(); ++it) {
      known_.erase(it->first);
      body = Let::Make(it->first, it->second, body);
    }
    return body;
  }

  expr::VarSet known_;
  int count_ = 0;
};

}  // namespace

Stmt BindCommonSubexpressions(const Stmt& s) { return Binder().Mutate(s); }

}  // namespace assay::tir
