#include "compiler/tir/simplify/exact.h"

#include <algorithm>
#include <cstdlib>

#include "compiler/expr/visitor.h"

namespace assay::tir {
namespace {

using expr::Expr;

class DataFinder : public expr::ExprVisitor {
 public:
  explicit DataFinder(const VarBounds& bounds) : bounds_(bounds) {}
  using ExprVisitor::Visit;
  void Visit(const Expr& e) override {
    if (!found) ExprVisitor::Visit(e);
  }
  bool found = false;

 private:
  void VisitVar(const expr::Var* node) override {
    const auto it = bounds_.find(Expr(node));
    if (it != bounds_.end() && it->second.is_data) found = true;
  }
  void VisitCast(const expr::Cast*) override { found = true; }
  void VisitCall(const expr::Call*) override { found = true; }
  void VisitLoad(const expr::Load*) override { found = true; }
  void VisitRead(const expr::Read*) override { found = true; }

  const VarBounds& bounds_;
};

}  // namespace

bool IsData(const Expr& e, const VarBounds& bounds) {
  DataFinder finder(bounds);
  finder.Visit(e);
  return finder.found;
}

bool IsExact(const Linear& sum, const VarBounds& bounds, int64_t slack) {
  const bool is_term = sum.terms.size() == 1 && sum.constant == 0 &&
                       sum.terms.begin()->second == 1;
  if (sum.IsConstant() || is_term) return true;
  const auto is_data = [&](const auto& term) {
    return IsData(term.first, bounds);
  };
  if (std::none_of(sum.terms.begin(), sum.terms.end(), is_data)) return true;
  // The largest magnitude of any partial sum.
  int64_t reach = std::abs(sum.constant) + slack;
  for (const auto& [term, coefficient] : sum.terms) {
    if (std::abs(coefficient) > INT32_MAX || reach > INT32_MAX) return false;
    const ConstInterval range = ConstBounds(term, bounds);
    reach += std::max(std::abs(range.min), std::abs(range.max)) *
             std::abs(coefficient);
  }
  return reach <= INT32_MAX;
}

bool IsExact(const Expr& e, const VarBounds& bounds) {
  return IsExact(ToLinear(e), bounds);
}

}  // namespace assay::tir
