#include "compiler/expr/structural_equal.h"

#include <limits>

#include "compiler/expr/expr_ops.h"
#include "gtest/gtest.h"

namespace assay::expr {
namespace {

TEST(StructuralEqualTest, ComparesTreesNotHandles) {
  const Expr i = Var::Make("i"), j = Var::Make("j");
  EXPECT_TRUE(StructurallyEqual(i * 2 + j, i * 2 + j));
  EXPECT_FALSE(StructurallyEqual(i * 2 + j, j + i * 2));
  EXPECT_FALSE(StructurallyEqual(i * 2, i * 3));
  EXPECT_FALSE(StructurallyEqual(i, j));
  EXPECT_FALSE(StructurallyEqual(Cast::Make(DType::Int64(), i),
                                 Cast::Make(DType::Int(16), i)));
  EXPECT_FALSE(StructurallyEqual(ConstInt(DType::Int64(), 1), Expr(1)));
}

TEST(StructuralEqualTest, ZerosDifferBySignAndNanEqualsItself) {
  const DType f = DType::Float32();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(StructurallyEqual(Const(f, 0.0), Const(f, -0.0)));
  EXPECT_TRUE(StructurallyEqual(Const(f, nan), Const(f, nan)));
}

TEST(StructuralEqualTest, RenamingPairsOneToOne) {
  const Expr i = Var::Make("i"), j = Var::Make("j"), k = Var::Make("k");
  Renaming renaming;
  renaming.Bind(i.get(), k.get());
  EXPECT_TRUE(StructurallyEqual(i + j, k + j, renaming));
  // i and k on the left would both map to k on the right.
  EXPECT_FALSE(StructurallyEqual(i + k, k + k, renaming));
  EXPECT_FALSE(StructurallyEqual(i, i, renaming));
  renaming.Unbind(i.get(), k.get());
  EXPECT_TRUE(StructurallyEqual(i, i, renaming));
}

TEST(StructuralEqualTest, ReduceAxesAreBound) {
  const Expr r = Var::Make("r"), s = Var::Make("s");
  const auto sum = [](const Expr& v, int64_t extent) {
    return Reduce::Make(Combiner::kSum, v * 2, {{v, extent}});
  };
  EXPECT_TRUE(StructurallyEqual(sum(r, 4), sum(s, 4)));
  EXPECT_FALSE(StructurallyEqual(sum(r, 4), sum(s, 5)));
}

TEST(StructuralCompareTest, OrdersConstantsThenVarsByIdThenRest) {
  const Expr z = Var::Make("z"), a = Var::Make("a");
  const std::vector<Expr> ordered = {
      1, 2,         z,
      a, z * 1 + a, Load::Make(MakeBuffer("b", DType::Int32(), {4}), {z})};
  for (size_t x = 0; x < ordered.size(); ++x) {
    for (size_t y = 0; y < ordered.size(); ++y) {
      const int c = StructuralCompare(ordered[x], ordered[y]);
      EXPECT_EQ(c < 0, x < y) << ordered[x] << " and " << ordered[y];
      EXPECT_EQ(c == 0, x == y) << ordered[x] << " and " << ordered[y];
    }
  }
}

}  // namespace
}  // namespace assay::expr
