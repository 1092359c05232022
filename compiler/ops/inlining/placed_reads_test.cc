#include "compiler/ops/inlining/placed_reads.h"

#include <cstdint>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/te/tensor.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

using expr::Expr;
using expr::SelectOf;

class PlacedReadsTest : public testing::Test {
 protected:
  // Finds the reads of a stage with the axes i and j.
  template <typename Body>
  void Find(const Body& body) {
    stage_ = te::Compute({8, 8}, "stage", [&](const std::vector<Expr>& i) {
      return body(i[0], i[1]);
    });
    reads_ = FindReads(stage_, {stage_->body});
  }
  int64_t Computed() const {
    std::vector<const Arms*> values;
    for (const PlacedRead& read : reads_) values.push_back(&read.arms);
    return MostComputed(values);
  }

  const te::Tensor a_ = te::Placeholder({8, 8}, DType::Float32(), "a");
  const te::Tensor n_ = te::Placeholder({8, 8}, DType::Int32(), "n");
  te::Tensor stage_;
  std::vector<PlacedRead> reads_;
};

TEST_F(PlacedReadsTest, EqualElementsAreOneRead) {
  Find([&](const Expr& i, const Expr& j) { return a_(i, j) * a_(i, j); });
  EXPECT_EQ(reads_.size(), 1u);
  EXPECT_EQ(Computed(), 1);
}

TEST_F(PlacedReadsTest, OneOfNestedArmsIsComputed) {
  Find([&](const Expr& i, const Expr& j) {
    return SelectOf(i < 2, a_(i, j),
                    SelectOf(i < 4, a_(i - 2, j), a_(i - 4, j)));
  });
  EXPECT_EQ(reads_.size(), 3u);
  EXPECT_EQ(Computed(), 1);
}

TEST_F(PlacedReadsTest, ValuesOutsideOfArmsAreComputed) {
  Find([&](const Expr& i, const Expr& j) {
    return SelectOf(i < 2, a_(i, j) + a_(j, i), a_(i - 2, j)) + a_(0, j);
  });
  EXPECT_EQ(reads_.size(), 4u);
  EXPECT_EQ(Computed(), 3);
}

// Both arms need the element, so it is computed in any case.
TEST_F(PlacedReadsTest, AnElementOfBothArmsIsInNone) {
  Find([&](const Expr& i, const Expr& j) {
    return SelectOf(i < 2, a_(i, j) + 1.0f, a_(i, j));
  });
  ASSERT_EQ(reads_.size(), 1u);
  EXPECT_TRUE(reads_[0].arms.empty());
}

TEST_F(PlacedReadsTest, DataAndTheLastAxisDecideLaneByLane) {
  Find([&](const Expr& i, const Expr& j) {
    return SelectOf(j < 2, a_(i, j), a_(i, j - 2));
  });
  EXPECT_EQ(Computed(), 2);
  Find([&](const Expr& i, const Expr& j) {
    return SelectOf(n_(i, 0) < 2, a_(i, j), a_(j, i));
  });
  EXPECT_EQ(Computed(), 3);
}

TEST_F(PlacedReadsTest, EvaluationsOfOneSelectDoNotExcludeEachOther) {
  Find([&](const Expr& i, const Expr& j) {
    return SelectOf(i < 2, a_(i, j), a_(i - 2, j));
  });
  ASSERT_EQ(reads_.size(), 2u);
  reads_[1].arms[0].evaluation = 1;
  EXPECT_EQ(Computed(), 2);
}

}  // namespace
}  // namespace assay::ops
