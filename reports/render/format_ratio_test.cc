#include "reports/render/format_ratio.h"

#include "gtest/gtest.h"

namespace assay::reports {
namespace {

TEST(FormatRatioTest, HasTheInterval) {
  EXPECT_EQ(FormatRatio({1.117, 1.0849, 1.151}), "1.12 [1.08, 1.15]");
  EXPECT_EQ(FormatRatio({0.5, 0.4, 0.999}), "0.50 [0.40, 1.00]");
}

TEST(FormatRatioTest, HasNoValueIfTheIntervalContainsOne) {
  EXPECT_EQ(FormatRatio({1.04, 0.99, 1.09}),
            "not distinguishable [0.99, 1.09]");
  EXPECT_EQ(FormatRatio({1.04, 1, 1.09}), "not distinguishable [1.00, 1.09]");
  EXPECT_EQ(FormatRatio({2}), "not distinguishable [0.00, inf]");
}

}  // namespace
}  // namespace assay::reports
