#include "reports/result/variant.h"

#include "gtest/gtest.h"

namespace assay::reports {
namespace {

TEST(VariantTest, NamesOmitTheDefaultsOfNewerDimensions) {
  EXPECT_EQ(VariantText({true}), "fusion on");
  EXPECT_EQ(VariantText({false, true}), "fusion off, tuned");
  EXPECT_EQ(VariantName({true}, '/'), "fusion_on");
  EXPECT_EQ(VariantName({false, true}, '.'), "fusion_off.tuned");
}

TEST(VariantTest, EveryValueOfEveryDimensionHasItsName) {
  for (const Dimension& dimension : kDimensions) {
    for (size_t i = 0; i < dimension.size; ++i) {
      Variant variant;
      ASSERT_TRUE(dimension.Set(dimension.values[i], &variant));
      EXPECT_EQ(dimension.get(variant), static_cast<int>(i));
      EXPECT_STREQ(dimension.NameOf(variant), dimension.values[i]);
    }
    Variant variant;
    EXPECT_FALSE(dimension.Set("no such value", &variant));
    EXPECT_EQ(variant, Variant());
  }
}

TEST(VariantTest, ADimensionWithASingleValueIsNotReported) {
  EXPECT_TRUE(IsReported(kDimensions[0]));
  EXPECT_STREQ(kDimensions[2].NameOf({}), "as_in_model");
  EXPECT_FALSE(IsReported(kDimensions[2]));
}

}  // namespace
}  // namespace assay::reports
