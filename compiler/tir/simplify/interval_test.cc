#include "compiler/tir/simplify/interval.h"

#include <sstream>
#include <string>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/simplify/random_index.h"
#include "compiler/tir/simplify/simplify.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::tir {
namespace {

using expr::Expr;

class IntervalTest : public testing::Test {
 protected:
  // Formats an interval as `[min, max] extent`.
  std::string Range(const Expr& e) {
    const Interval i = EvalInterval(e, {{i_, {0, 13}}, {r_, {0, 2}}}, bounds_);
    if (!i.IsKnown()) return "unknown";
    std::ostringstream os;
    os << "[" << i.min << ", " << i.max << "] "
       << Simplify(i.max - i.min + 1, bounds_);
    return os.str();
  }

  Expr o_ = expr::Var::Make("o");
  Expr f_ = expr::Var::Make("f");
  Expr i_ = expr::Var::Make("i");
  Expr r_ = expr::Var::Make("r");
  VarBounds bounds_ = {
      {o_, {0, 3}}, {f_, {0, 447}}, {i_, {0, 13}}, {r_, {0, 2}}};
};

TEST_F(IntervalTest, AffineAccessesHaveConstantExtents) {
  EXPECT_EQ(Range(o_ * 14 + i_), "[o * 14, o * 14 + 13] 14");
  EXPECT_EQ(Range((o_ * 14 + i_) * 2 + r_), "[o * 28, o * 28 + 28] 29");
  EXPECT_EQ(Range(o_ - i_), "[o - 13, o] 14");
}

TEST_F(IntervalTest, FixedExpressionIsPoint) {
  EXPECT_EQ(Range(f_ / 56 % 4), "[f / 56 % 4, f / 56 % 4] 1");
}

TEST_F(IntervalTest, QuotientsAndRemaindersOfRanges) {
  EXPECT_EQ(Range((o_ * 14 + i_) / 14), "[o, o] 1");
  EXPECT_EQ(Range((o_ * 14 + i_) % 14), "[0, 13] 14");
  EXPECT_EQ(Range((f_ + i_) % 8), "[0, 7] 8");
}

TEST_F(IntervalTest, ProductsOfTwoRangesAreUnknown) {
  EXPECT_EQ(Range(i_ * r_), "unknown");
}

TEST_F(IntervalTest, AlignedBlocksOfFusedAxis) {
  EXPECT_EQ(Range((o_ * 14 + i_) / 7), "[o * 2, o * 2 + 1] 2");
  EXPECT_EQ(Range((o_ * 14 + i_) / 28), "[o / 2, o / 2] 1");
  EXPECT_EQ(Range((o_ * 14 + i_) % 28), "[o % 2 * 14, o % 2 * 14 + 13] 14");
}

TEST_F(IntervalTest, ClampKeepsExtent) {
  EXPECT_EQ(Range(expr::Min(o_ * 40 + i_, 95)),
            "[min(o * 40, 95), min(o * 40, 95) + 13] 14");
  EXPECT_EQ(Range(expr::Max(o_ * 40 + i_, f_)),
            "[max(o * 40, f), max(o * 40, f) + 13] 14");
}

TEST_F(IntervalTest, ClampByConstantOffsetReducesExtent) {
  EXPECT_EQ(Range(expr::Min(o_ * 14 + i_, o_ * 14 + 10)),
            "[o * 14, o * 14 + 10] 11");
  EXPECT_EQ(Range(expr::Max(o_ * 14 + i_, o_ * 14 + 4)),
            "[o * 14 + 4, o * 14 + 13] 10");
}

TEST_F(IntervalTest, FuzzedIntervalsContainEveryValue) {
  Rng rng(7);
  RandomIndex generator(rng, {o_, f_, i_, r_});
  int known = 0;
  for (int round = 0; round < 2000; ++round) {
    const Expr e = generator.Index(4);
    const Interval range =
        EvalInterval(e, {{i_, {0, o_ + 10}}, {r_, {0, 2}}}, bounds_);
    if (!range.IsKnown()) continue;
    ++known;
    for (int point = 0; point < 12; ++point) {
      IndexValues values = {{o_, rng.UniformInt(0, 3)},
                            {f_, rng.UniformInt(0, 447)},
                            {r_, rng.UniformInt(0, 2)}};
      values[i_] = rng.UniformInt(0, values[o_] + 10);
      const int64_t value = EvalIndex(e, values);
      ASSERT_LE(EvalIndex(range.min, values), value)
          << "round " << round << ": " << e << " in " << range.min;
      ASSERT_GE(EvalIndex(range.max, values), value)
          << "round " << round << ": " << e << " in " << range.max;
    }
  }
  EXPECT_GT(known, 1000);
}

TEST_F(IntervalTest, UnionContainsBoth) {
  const Interval u = UnionOf({o_, o_ + 3}, {o_ + 2, o_ + 5}, bounds_);
  std::ostringstream os;
  os << u.min << " " << u.max;
  EXPECT_EQ(os.str(), "o o + 5");
}

}  // namespace
}  // namespace assay::tir
