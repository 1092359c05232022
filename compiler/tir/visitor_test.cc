#include "compiler/tir/visitor.h"

#include <string>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/parser.h"
#include "compiler/tir/printer.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

constexpr char kProgram[] =
    R"(for k in [n, +n + 1) {
  alloc %t: local int32[4]
  pragma key 3 {
    %t[n] = n
  }
  if n < 2 {
    %t[0] = %t[n]
  } else {
    %t[n * 2] = k
  }
}
)";

Stmt Program(const Expr& n) {
  ParseScope scope;
  scope.vars["n"] = n;
  auto s = ParseStmt(kProgram, scope);
  EXPECT_TRUE(s.ok()) << s.status();
  return *std::move(s);
}

class CountUses : public StmtVisitor {
 public:
  int vars = 0, stores = 0;

 private:
  void VisitVar(const expr::Var*) override { ++vars; }
  void VisitStore(const Store* node) override {
    ++stores;
    StmtVisitor::VisitStore(node);
  }
};

TEST(StmtVisitorTest, VisitsEveryExpression) {
  CountUses counter;
  counter.Visit(Program(expr::Var::Make("n")));
  EXPECT_EQ(counter.stores, 3);
  EXPECT_EQ(counter.vars, 8);
}

TEST(StmtMutatorTest, ReturnsSameNodeIfUnchanged) {
  const Stmt s = Program(expr::Var::Make("n"));
  EXPECT_TRUE(StmtMutator().Mutate(s).same_as(s));
  EXPECT_TRUE(Substitute(s, {{expr::Var::Make("other"), 3}}).same_as(s));
}

TEST(SubstituteTest, ReplacesInEveryExpression) {
  const Expr n = expr::Var::Make("n"), m = expr::Var::Make("m");
  const Stmt s = Substitute(Program(n), {{n, m}});
  EXPECT_FALSE(UsesVar(s, n));
  EXPECT_TRUE(UsesVar(s, m));
  std::string expected = kProgram;
  for (char& c : expected) {
    if (c == 'n') c = 'm';
  }
  std::string text = ToString(s);
  for (char& c : text) {
    if (c == 'n') c = 'm';
  }
  EXPECT_EQ(text, expected);
}

}  // namespace
}  // namespace assay::tir
