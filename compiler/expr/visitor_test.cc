#include "compiler/expr/visitor.h"

#include <string>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/printer.h"
#include "compiler/expr/substitute.h"
#include "gtest/gtest.h"

namespace assay::expr {
namespace {

// An expression with a node of every kind that has children.
Expr Everything(const Expr& i) {
  const DType f = DType::Float32();
  const Expr x = Load::Make(MakeBuffer("b", f, {4}), {i + 1});
  auto* tensor = new TensorNode;
  tensor->name = "t";
  tensor->shape = {16};
  const Expr r = Var::Make("r");
  const Expr sum = Reduce::Make(
      Combiner::kSum, Read::Make(TensorRef(tensor), {r + i}), {{r, 16}});
  return SelectOf(!(i < 3) && Ne(i % 2, 0),
                  CallOf(Intrinsic::kExp, {Min(x, Cast::Make(f, i / 2))}), sum);
}

class Trace : public ExprVisitor {
 public:
  std::string text;

 private:
  void VisitVar(const Var* node) override { text += node->name + " "; }
  void VisitIntImm(const IntImm* node) override {
    text += std::to_string(node->value) + " ";
  }
};

TEST(ExprVisitorTest, VisitsLeavesInOrder) {
  Trace trace;
  trace.Visit(Everything(Var::Make("i")));
  EXPECT_EQ(trace.text, "i 3 i 2 0 i 1 i 2 r i ");
  Trace vectors;
  vectors.Visit(Ramp::Make(Var::Make("a"), 3, 4) +
                Broadcast::Make(Var::Make("b"), 4));
  EXPECT_EQ(vectors.text, "a 3 b ");
}

TEST(ExprMutatorTest, ReturnsSameNodeIfUnchanged) {
  const Expr e = Everything(Var::Make("i"));
  EXPECT_TRUE(ExprMutator().Mutate(e).same_as(e));
}

TEST(ExprMutatorTest, RebuildsOnlyPathToChange) {
  const Expr i = Var::Make("i"), j = Var::Make("j");
  const Expr left = i * 2, right = j * 3;
  const Expr changed = Substitute(Add::Make(left, right), {{i, j}});
  EXPECT_EQ(ToString(changed), "j * 2 + j * 3");
  EXPECT_TRUE(changed.As<Add>()->b.same_as(right));
}

TEST(SubstituteTest, ReplacesEveryOccurrence) {
  const Expr i = Var::Make("i"), j = Var::Make("j");
  const Expr e = Substitute(Everything(i), {{i, j}});
  EXPECT_FALSE(UsesVar(e, i));
  EXPECT_EQ(FreeVars(e).size(), 1u);
  EXPECT_EQ(ToString(e),
            "select(!(j < 3) && j % 2 != 0, "
            "exp(min(%b[j + 1], cast(float32, j / 2))), "
            "sum(t[r + j], r < 16))");
}

TEST(SubstituteTest, IsSimultaneous) {
  const Expr i = Var::Make("i"), j = Var::Make("j");
  EXPECT_EQ(ToString(Substitute(i - j, {{i, j}, {j, i}})), "j - i");
  EXPECT_DEATH(Substitute(i, {{i, Const(DType::Float32(), 1)}}), "for i");
}

}  // namespace
}  // namespace assay::expr
