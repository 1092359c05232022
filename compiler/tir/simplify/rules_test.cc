#include "compiler/tir/simplify/rules.h"

#include <string>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/expr/substitute.h"
#include "compiler/expr/visitor.h"
#include "compiler/tir/simplify/random_index.h"
#include "compiler/tir/simplify/simplify.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::tir {
namespace {

using expr::Expr;

const std::string& NameOf(const Expr& var) { return var.As<expr::Var>()->name; }
bool IsConstantVariable(const Expr& var) { return NameOf(var)[0] == 'c'; }

expr::VarSet VariablesOf(const Rule& rule) {
  expr::VarSet vars = expr::FreeVars(rule.before);
  if (rule.condition.defined()) vars.merge(expr::FreeVars(rule.condition));
  return vars;
}

// Small numbers, so that values coincide and conditions hold; sometimes the
// limits of the type.
int64_t RandomValue(Rng& rng, const Expr& var) {
  if (var.dtype().is_bool()) return rng.UniformInt(0, 1);
  switch (rng.UniformInt(0, 9)) {
    case 0:
      return INT32_MIN + rng.UniformInt(0, 1);
    case 1:
      return INT32_MAX - rng.UniformInt(0, 1);
    default:
      return rng.UniformInt(-3, 3);
  }
}

IndexValues RandomValues(Rng& rng, const Rule& rule) {
  IndexValues values;
  for (const Expr& var : VariablesOf(rule)) values[var] = RandomValue(rng, var);
  return values;
}

bool Holds(const Rule& rule, const IndexValues& values) {
  return !rule.condition.defined() || EvalIndex(rule.condition, values) != 0;
}

// The number of nodes; an expression of only the constants c1 and c2 counts as
// one node, because it folds.
int SizeOf(const Expr& e) {
  class Counter : public expr::ExprVisitor {
   public:
    using ExprVisitor::Visit;
    int size = 0;
    void Visit(const Expr& e) override {
      ++size;
      bool constant = !expr::FreeVars(e).empty();
      for (const Expr& var : expr::FreeVars(e)) {
        constant = constant && IsConstantVariable(var);
      }
      if (!constant) ExprVisitor::Visit(e);
    }
  };
  Counter counter;
  counter.Visit(e);
  return counter.size;
}

TEST(RulesTest, BothSidesHaveSameValue) {
  Rng rng(20261121);
  for (const Rule& rule : AllRules()) {
    int tried = 0;
    for (int round = 0; round < 4000; ++round) {
      const IndexValues values = RandomValues(rng, rule);
      if (!Holds(rule, values)) continue;
      ++tried;
      ASSERT_EQ(EvalIndex(rule.before, values), EvalIndex(rule.after, values))
          << rule.text;
    }
    EXPECT_GT(tried, 500) << rule.text;
  }
}

TEST(RulesTest, EveryRuleReducesSize) {
  for (const Rule& rule : AllRules()) {
    EXPECT_LT(SizeOf(rule.after), SizeOf(rule.before)) << rule.text;
  }
}

// Instantiates each rule with fresh variables and with constants that satisfy
// its condition. An earlier rule may be the one that matches.
TEST(RulesTest, EveryRuleIsReachable) {
  Rng rng(7);
  for (const Rule& rule : AllRules()) {
    IndexValues constants = RandomValues(rng, rule);
    while (!Holds(rule, constants)) constants = RandomValues(rng, rule);
    expr::VarMap<Expr> values;
    for (const auto& [var, value] : constants) {
      values[var] = IsConstantVariable(var)
                        ? expr::ConstInt(DType::Int32(), value)
                        : expr::Var::Make(NameOf(var), var.dtype());
    }
    const Expr before = expr::Substitute(rule.before, values);
    const Expr after = expr::Substitute(rule.after, values);
    const Expr result = ApplyRules(before);
    ASSERT_TRUE(result.defined()) << rule.text;
    EXPECT_TRUE(expr::StructurallyEqual(Simplify(result), Simplify(after)))
        << rule.text << ": " << before << " became " << result;
  }
}

TEST(RulesTest, CommutativeOperandsMatchInEitherOrder) {
  const Expr x = expr::Var::Make("x"), y = expr::Var::Make("y");
  EXPECT_TRUE(ApplyRules(expr::Min(expr::Max(y, x), x)).same_as(x));
  EXPECT_FALSE(ApplyRules(expr::Min(expr::Max(y, x), 3)).defined());
}

TEST(RulesTest, RequiresLiteralsToFitType) {
  for (const DType type : {DType::UInt(8), DType::Int(8), DType::Int(16)}) {
    const Expr x = expr::Var::Make("x", type);
    const Expr third = expr::Div::Make(x, expr::ConstInt(type, 3));
    const Expr bound = expr::ConstInt(type, 5);
    EXPECT_FALSE(ApplyRules(third < bound).defined()) << type;
    EXPECT_FALSE(ApplyRules(bound <= third).defined()) << type;
  }
}

TEST(RulesTest, VariablesMatchTheirClassOnly) {
  // Not valid for NaN.
  const Expr f = expr::Var::Make("f", DType::Float32());
  const Expr g = expr::Var::Make("g", DType::Float32());
  EXPECT_FALSE(ApplyRules(!(f < g)).defined());
  EXPECT_FALSE(ApplyRules(expr::Min(f, expr::Max(f, g))).defined());
  EXPECT_TRUE(ApplyRules(expr::Min(f, f)).same_as(f));
  // A scalar condition is not equal to a vector of conditions.
  const Expr p = expr::Var::Make("p", DType::Bool());
  const DType lanes = DType::Bool().WithLanes(8);
  const Expr select =
      expr::Select::Make(p, expr::ConstInt(lanes, 1), expr::ConstInt(lanes, 0));
  EXPECT_FALSE(ApplyRules(select).defined());
}

}  // namespace
}  // namespace assay::tir
