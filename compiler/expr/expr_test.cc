#include "compiler/expr/expr.h"

#include <cmath>
#include <limits>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/printer.h"
#include "gtest/gtest.h"

namespace assay::expr {
namespace {

class ExprTest : public ::testing::Test {
 protected:
  Expr i = Var::Make("i");
  Expr j = Var::Make("j");
  Expr x = Var::Make("x", DType::Float32());
};

TEST_F(ExprTest, ConstantsFold) {
  EXPECT_EQ(ToString(Expr(7) / Expr(-2)), "-4");
  EXPECT_EQ(ToString(Expr(7) % Expr(-2)), "-1");
  EXPECT_EQ(ToString(Const(DType::Float32(), 0.1) + Expr(1)), "1.1f");
  EXPECT_EQ(ToString(Expr(3) <= Expr(2)), "false");
  EXPECT_EQ(ToString(Max(Expr(3), Expr(5))), "5");
  EXPECT_EQ(ToString(SelectOf(Expr(1) < Expr(2), i, j)), "i");
  const Expr byte = ConstInt(DType::UInt(8), 200);
  EXPECT_EQ(ToString(byte + byte), "144u8");
}

TEST_F(ExprTest, BinaryOfUsesOperatorOfKind) {
#define ASSAY_EXPECT(Kind) \
  EXPECT_EQ(BinaryOf(ExprKind::k##Kind, i, j).kind(), ExprKind::k##Kind);
  ASSAY_EXPECT(Add)
  ASSAY_EXPECT(Sub)
  ASSAY_EXPECT(Mul)
  ASSAY_EXPECT(Div)
  ASSAY_EXPECT(Mod)
  ASSAY_EXPECT(Min)
  ASSAY_EXPECT(Max)
  ASSAY_EXPECT(EQ)
  ASSAY_EXPECT(NE)
  ASSAY_EXPECT(LT)
  ASSAY_EXPECT(LE)
#undef ASSAY_EXPECT
  EXPECT_EQ(BinaryOf(ExprKind::kAnd, i < j, j < i).kind(), ExprKind::kAnd);
  EXPECT_EQ(BinaryOf(ExprKind::kOr, i < j, j < i).kind(), ExprKind::kOr);
}

TEST_F(ExprTest, IntegerIdentitiesFold) {
  EXPECT_TRUE((i + 0).same_as(i));
  EXPECT_TRUE((i * 1).same_as(i));
  EXPECT_EQ(ToString(i * 0), "0");
  EXPECT_TRUE((i / 1).same_as(i));
  EXPECT_TRUE(((i < 1) && ConstInt(DType::Bool(), 1)).As<LT>() != nullptr);
  EXPECT_TRUE((!!(i < 1)).As<LT>() != nullptr);
  // -0.0 + 0 is 0, so float identities are not folded.
  EXPECT_EQ(ToString(x + 0), "x + 0f");
}

TEST_F(ExprTest, LiteralsAndScalarsTakeTypeOfOtherOperand) {
  EXPECT_EQ(ToString(x * 2), "x * 2f");
  const Expr vector = Ramp::Make(i, 1, 4);
  EXPECT_EQ((vector + 1).dtype(), DType::Int32().WithLanes(4));
  EXPECT_EQ(ToString(vector + j), "ramp(i, 1, 4) + broadcast(j, 4)");
  EXPECT_EQ((vector < j).dtype(), DType::Bool().WithLanes(4));
}

TEST_F(ExprTest, MismatchedTypesDie) {
  EXPECT_DEATH(i + x, "in i and x");
  EXPECT_DEATH(Ramp::Make(i, 1, 4) + Ramp::Make(i, 1, 8), "int32x4");
  EXPECT_DEATH(i % 0, "remainder of i by zero");
}

TEST_F(ExprTest, PrintsMinimalParentheses) {
  EXPECT_EQ(ToString((i + j) * 2 - (i - (j - 1))),
            "(i + j) * 2 - (i - (j - 1))");
  EXPECT_EQ(ToString(i * 2 + j / 3 % 4), "i * 2 + j / 3 % 4");
  EXPECT_EQ(ToString(!(i < j) && (Eq(i, 3) || Eq(j, 4))),
            "!(i < j) && (i == 3 || j == 4)");
  EXPECT_EQ(ToString(i - Expr(-3)), "i - -3");
  EXPECT_EQ(ToString(-x), "x * -1f");
  EXPECT_EQ(ToString(Min(i, j)), "min(i, j)");
}

TEST_F(ExprTest, PrintsEveryKind) {
  const Buffer a = MakeBuffer("a", DType::Float32(), {4, 8});
  const Expr load = Load::Make(a, {i, j});
  EXPECT_EQ(ToString(load), "%a[i, j]");
  EXPECT_EQ(ToString(SelectOf(i < 1, load, Const(DType::Float32(), 0))),
            "select(i < 1, %a[i, j], 0f)");
  EXPECT_EQ(ToString(Cast::Make(DType::Float64(), i)), "cast(float64, i)");
  EXPECT_EQ(ToString(CallOf(Intrinsic::kFma, {x, x, x})), "fma(x, x, x)");
  EXPECT_EQ(ToString(Call::Make(DType::Int32(), Intrinsic::kReinterpret, {x})),
            "reinterpret(int32, x)");
  EXPECT_EQ(ToString(Broadcast::Make(x, 8)), "broadcast(x, 8)");
  auto* tensor = new TensorNode;
  tensor->name = "t";
  tensor->shape = {16};
  EXPECT_EQ(ToString(Reduce::Make(
                Combiner::kSum, Read::Make(TensorRef(tensor), {j}), {{j, 16}})),
            "sum(t[j], j < 16)");
}

TEST_F(ExprTest, LiteralsCarryTypeSuffix) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ToString(Const(DType::Float32(), 0.1)), "0.1f");
  EXPECT_EQ(ToString(Const(DType::Float32(), 1.0 / 3)), "0.33333334f");
  EXPECT_EQ(ToString(Const(DType::Float64(), 1.0 / 3)),
            "0.3333333333333333f64");
  EXPECT_EQ(ToString(Const(DType::Float16(), 0.1)), "0.1f16");
  EXPECT_EQ(ToString(Const(DType::BFloat16(), 2)), "2bf16");
  EXPECT_EQ(ToString(Const(DType::Float32(), -infinity)), "-inff");
  EXPECT_EQ(ToString(Const(DType::Float32(), -0.0)), "-0f");
  EXPECT_EQ(ToString(ConstInt(DType::Int64(), -5)), "-5i64");
  EXPECT_EQ(ToString(ConstInt(DType::UInt(64), -1)), "18446744073709551615u64");
}

TEST_F(ExprTest, ConstantsOfUInt64AreUnsigned) {
  const DType type = DType::UInt(64);
  const Expr large = ConstInt(type, -2), three = ConstInt(type, 3);
  EXPECT_EQ(ToString(large / three), "6148914691236517204u64");
  EXPECT_EQ(ToString(large % three), "2u64");
  EXPECT_EQ(ToString(Max(large, three)), ToString(large));
  EXPECT_EQ(ToString(Min(large, three)), "3u64");
  EXPECT_EQ(ToString(three < large), "true");
  EXPECT_EQ(ToString(large <= three), "false");
}

TEST_F(ExprTest, CombinerIdentitiesAreNeutral) {
  for (DType type : {DType::Float32(), DType::Int(8), DType::UInt(8),
                     DType::Int64(), DType::Int32()}) {
    for (Combiner combiner :
         {Combiner::kSum, Combiner::kProd, Combiner::kMin, Combiner::kMax}) {
      const Expr identity = CombinerIdentity(combiner, type);
      EXPECT_EQ(identity.dtype(), type);
      const Expr five = Const(type, 5);
      const Expr combined = combiner == Combiner::kMin   ? Min(identity, five)
                            : combiner == Combiner::kMax ? Max(identity, five)
                            : combiner == Combiner::kSum ? identity + five
                                                         : identity * five;
      EXPECT_EQ(ToString(combined), ToString(five)) << type;
      EXPECT_EQ(Combine(combiner, identity, five).dtype(), type);
    }
  }
  EXPECT_EQ(ToString(CombinerIdentity(Combiner::kMax, DType::Int64())),
            "-9223372036854775808i64");
}

TEST_F(ExprTest, NamesAreMadeUnique) {
  const Expr other = Var::Make("i");
  EXPECT_EQ(ToString(i + other * i), "i + i_1 * i");
  EXPECT_EQ(ToString(Var::Make("a b") + Var::Make("true")), "a_b + true_1");
  EXPECT_EQ(ToString(Var::Make("i.o") + Var::Make("2x")), "i.o + _2x");
}

}  // namespace
}  // namespace assay::expr
