#include "compiler/lower/shared/shared_values.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/printer.h"
#include "compiler/te/tensor.h"
#include "gtest/gtest.h"

namespace assay::lower {
namespace {

using expr::CallOf;
using expr::Expr;
using expr::Intrinsic;

constexpr int kExtent = 8;

class SharedValuesTest : public testing::Test {
 protected:
  // One line per shared value, and one for the result.
  std::string Bound(const Expr& e) const {
    const SharedValues bound = BindSharedValues({e}, {{i_, {0, kExtent - 1}}});
    std::string text;
    for (const SharedValue& shared : bound.shared) {
      absl::StrAppend(&text, expr::ToString(shared.var), " = ",
                      expr::ToString(shared.value), "\n");
    }
    return text + expr::ToString(bound.values[0]);
  }

  const Expr i_ = expr::Var::Make("i");
  const te::Tensor a_ = te::Placeholder({kExtent}, DType::Float32(), "a");
  const te::Tensor b_ = te::Placeholder({kExtent}, DType::Float32(), "b");
  const te::Tensor n_ = te::Placeholder({kExtent}, DType::Int32(), "n");
  const te::Tensor c_ = te::Placeholder({kExtent}, DType::Bool(), "c");
  // A value that is worth a name if it has three uses.
  const Expr v_ = CallOf(Intrinsic::kTanh, {a_(i_)});
};

Expr Cube(const Expr& x) { return x * x * x; }

TEST_F(SharedValuesTest, BindsValueWithSeveralUses) {
  EXPECT_EQ(Bound(Cube(v_)), "v0 = tanh(a[i])\nv0 * v0 * v0");
}

TEST_F(SharedValuesTest, CopiesCheapValue) {
  const Expr sum = a_(i_) + b_(i_);
  EXPECT_EQ(Bound(Cube(sum)), "(a[i] + b[i]) * (a[i] + b[i]) * (a[i] + b[i])");
}

TEST_F(SharedValuesTest, CopiesExpensiveValueWithOneUse) {
  EXPECT_EQ(Bound(CallOf(Intrinsic::kExp, {v_})), "exp(tanh(a[i]))");
}

TEST_F(SharedValuesTest, CountsNodesAndNotEqualExpressions) {
  const Expr again = CallOf(Intrinsic::kTanh, {a_(i_)});
  EXPECT_EQ(Bound(v_ * again), "tanh(a[i]) * tanh(a[i])");
}

TEST_F(SharedValuesTest, LaterValuesUseEarlierOnes) {
  const Expr w = CallOf(Intrinsic::kTanh, {Cube(v_)});
  EXPECT_EQ(Bound(Cube(w)),
            "v0 = tanh(a[i])\nv1 = tanh(v0 * v0 * v0)\nv1 * v1 * v1");
}

TEST_F(SharedValuesTest, CopiesIndexArithmetic) {
  Expr index = i_;
  for (int k = 0; k < 4; ++k) index = (index * 3 + index) % kExtent;
  EXPECT_EQ(Bound(a_(index)).find("v0"), std::string::npos);
}

// A reshape of a gather divides the sum by an extent.
TEST_F(SharedValuesTest, CopiesSumsOfIndicesThatAreRead) {
  const auto clamped = [&](const Expr& i) {
    return expr::Min(expr::Max(n_(i) + 3, 0), 7);
  };
  Expr sum = clamped(i_) * 8 + clamped(kExtent - 1 - i_);
  const Expr both = CallOf(Intrinsic::kTanh, {a_(sum / 8)}) + b_(sum % 8);
  EXPECT_EQ(Bound(both).find("v0 = "), std::string::npos) << Bound(both);
  // Copies have a limit, even if each value is cheap.
  for (int k = 0; k < 20; ++k) sum = sum + sum;
  EXPECT_NE(Bound(sum).find("v0 = "), std::string::npos);
}

TEST_F(SharedValuesTest, BindsDataInIndex) {
  Expr index = n_(i_);
  for (int k = 0; k < 4; ++k) {
    index = expr::Min(expr::Max(expr::SelectOf(index < 0, index + 8, index), 0),
                      kExtent - 1);
    index = n_(index);
  }
  const std::string text = Bound(index);
  EXPECT_NE(text.find("v0 = "), std::string::npos) << text;
  EXPECT_LT(text.size(), 500) << text;
}

TEST_F(SharedValuesTest, SafeValueInArmNeedsNoGuard) {
  EXPECT_EQ(Bound(expr::SelectOf(c_(i_), Cube(v_), b_(i_))),
            "v0 = tanh(a[i])\nselect(c[i], v0 * v0 * v0, b[i])");
}

// a[i + 1] is out of bounds for the last i.
TEST_F(SharedValuesTest, UnsafeValueInArmIsGuarded) {
  const Expr next = CallOf(Intrinsic::kTanh, {a_(i_ + 1)});
  EXPECT_EQ(Bound(expr::SelectOf(i_ < 7, Cube(next), b_(i_))),
            "v0 = select(i < 7, tanh(a[i + 1]), 0f)\n"
            "select(i < 7, v0 * v0 * v0, b[i])");
  EXPECT_EQ(Bound(expr::SelectOf(7 <= i_, b_(i_), Cube(next))),
            "v0 = select(!(7 <= i), tanh(a[i + 1]), 0f)\n"
            "select(7 <= i, b[i], v0 * v0 * v0)");
}

TEST_F(SharedValuesTest, GuardOfNestedArmsHasAName) {
  const Expr next = CallOf(Intrinsic::kTanh, {a_(i_ + 1)});
  const Expr inner = expr::SelectOf(c_(i_ + 1), Cube(next), b_(i_));
  EXPECT_EQ(Bound(expr::SelectOf(i_ < 7, inner, b_(i_))),
            "v0 = select(i < 7, c[i + 1], false)\n"
            "v1 = select(v0, tanh(a[i + 1]), 0f)\n"
            "select(i < 7, select(c[i + 1], v1 * v1 * v1, b[i]), b[i])");
}

TEST_F(SharedValuesTest, ValueOfBothArmsNeedsNoGuard) {
  const Expr other = CallOf(Intrinsic::kTanh, {a_(n_(i_))});  // unknown index
  EXPECT_EQ(Bound(expr::SelectOf(c_(i_), Cube(other), other * b_(i_))),
            "v0 = tanh(a[n[i]])\n"
            "select(c[i], v0 * v0 * v0, v0 * b[i])");
}

TEST_F(SharedValuesTest, UnsafeValueOfUnrelatedArmsIsCopied) {
  const Expr other = CallOf(Intrinsic::kTanh, {a_(n_(i_))});
  const Expr sum = expr::SelectOf(c_(i_), Cube(other), b_(i_)) +
                   expr::SelectOf(a_(i_) < b_(i_), Cube(other), b_(i_));
  EXPECT_EQ(Bound(sum).find("v0"), std::string::npos);
}

TEST_F(SharedValuesTest, DivisorMayBeZeroInOtherArm) {
  const te::Tensor m = te::Placeholder({kExtent}, DType::Int32(), "m");
  const Expr quotient = n_(i_) / m(i_);
  const Expr use = quotient * quotient * quotient * quotient * quotient;
  EXPECT_EQ(Bound(expr::SelectOf(expr::Ne(m(i_), 0), use, 0)),
            "v0 = m[i] != 0\n"
            "v1 = select(v0, n[i] / m[i], 0)\n"
            "select(m[i] != 0, v1 * v1 * v1 * v1 * v1, 0)");
}

TEST_F(SharedValuesTest, CutsExpressionOfManyLevels) {
  Expr e = a_(i_);
  for (int k = 0; k < 200; ++k) e = e + b_(i_);
  const SharedValues bound = BindSharedValues({e}, {{i_, {0, kExtent - 1}}});
  EXPECT_EQ(bound.shared.size(), 3);
}

TEST_F(SharedValuesTest, OperationsGrowWithNodes) {
  const auto operations = [&](int levels) {
    Expr e = v_;
    for (int k = 0; k < levels; ++k) e = e * CallOf(Intrinsic::kSigmoid, {e});
    return BindSharedValues({e}, {{i_, {0, kExtent - 1}}}).operations;
  };
  EXPECT_LE(operations(200), 2 * operations(100) + 50);
}

}  // namespace
}  // namespace assay::lower
