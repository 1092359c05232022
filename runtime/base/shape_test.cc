#include "runtime/base/shape.h"

#include "gtest/gtest.h"

namespace assay {
namespace {

TEST(ShapeTest, CountsElements) {
  EXPECT_EQ(NumElements({}), 1);
  EXPECT_EQ(NumElements({2, 3, 5}), 30);
  EXPECT_EQ(NumElements({2, 0, 5}), 0);
}

TEST(ShapeTest, RejectsNegativeAndHugeShapes) {
  EXPECT_EQ(CheckedNumElements({-1, 3}).status().message(),
            "shape [-1,3] has a negative extent");
  EXPECT_EQ(CheckedNumElements({int64_t{1} << 40, 2}).status().message(),
            "shape [1099511627776,2] is too large");
}

TEST(ShapeTest, ComputesRowMajorStrides) {
  EXPECT_EQ(RowMajorStrides({2, 3, 5}), Shape({15, 5, 1}));
  EXPECT_EQ(RowMajorStrides({}), Shape());
}

TEST(ShapeTest, PrintsExtentsInBrackets) {
  EXPECT_EQ(ShapeToString({1, 3, 224}), "[1,3,224]");
  EXPECT_EQ(ShapeToString({}), "[]");
}

}  // namespace
}  // namespace assay
