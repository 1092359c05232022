#include "compiler/expr/dag.h"

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/operations.h"
#include "compiler/expr/printer.h"
#include "gtest/gtest.h"

namespace assay::expr {
namespace {

// x, x * x, (x * x) * (x * x), …: a tree of 2^levels leaves.
Expr Power(Expr x, int levels) {
  for (int k = 0; k < levels; ++k) x = Mul::Make(x, x);
  return x;
}

class Counter : public DagVisitor {
 public:
  int count = 0;

 private:
  void VisitMul(const Mul* node) override {
    ++count;
    DagVisitor::VisitMul(node);
  }
};

TEST(DagTest, VisitsEachNodeOnce) {
  Counter counter;
  counter.Visit(Power(Var::Make("x", DType::Float32()), 60));
  EXPECT_EQ(counter.count, 60);
}

TEST(DagTest, SubstitutionKeepsSharing) {
  const Expr x = Var::Make("x"), y = Var::Make("y");
  const Expr result = SubstituteInDag(Power(x, 60), {{x, y}});
  Counter counter;
  counter.Visit(result);
  EXPECT_EQ(counter.count, 60);
  EXPECT_EQ(ToString(SubstituteInDag(Power(x, 1), {{x, y + 1}})),
            "(y + 1) * (y + 1)");
}

TEST(DagTest, UnchangedExpressionIsReturned) {
  const Expr x = Var::Make("x"), y = Var::Make("y");
  const Expr e = Power(x, 60);
  EXPECT_TRUE(SubstituteInDag(e, {{y, x}}).same_as(e));
}

TEST(OperationsTest, CountsCopies) {
  const Expr x = Var::Make("x", DType::Float32());
  EXPECT_EQ(CountOperations(x), 0);
  EXPECT_EQ(CountOperations(Power(x, 3)), 7);
  EXPECT_EQ(CountOperations(Power(x, 60)), kMaxOperations);
  EXPECT_GT(CountOperations(CallOf(Intrinsic::kTanh, {x})), 5);
}

TEST(OperationsTest, CountsLevels) {
  const Expr x = Var::Make("x", DType::Float32());
  EXPECT_EQ(CountLevels(x), 0);
  EXPECT_EQ(CountLevels(Power(x, 60)), 60);
  EXPECT_EQ(CountLevels(Add::Make(x, Power(x, 3))), 4);
}

TEST(OperationsTest, OnlyIntegerDivisionMayFault) {
  const Expr x = Var::Make("x"), f = Var::Make("f", DType::Float32());
  EXPECT_TRUE(MayDivideByZero(Div::Make(x, x)));
  EXPECT_TRUE(MayDivideByZero(Mod::Make(x, 0)));
  EXPECT_FALSE(MayDivideByZero(Div::Make(x, 3)));
  EXPECT_FALSE(MayDivideByZero(Div::Make(f, f)));
}

}  // namespace
}  // namespace assay::expr
