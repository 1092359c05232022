#include "suites/comparison/canary.h"

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

// Uses the real clock, so other tests may disturb the result. Checks only that
// both comparisons are reported, each with its share of extra work.
TEST(CanaryTest, ComparesUnchangedAndSlowedKernels) {
  const auto canary = RunCanary(1);
  ASSERT_TRUE(canary.ok()) << canary.status();
  EXPECT_EQ(canary->unchanged.share, 0);
  EXPECT_EQ(canary->slowed.share, 0.02);
  EXPECT_NE(canary->unchanged.reason, "");
  EXPECT_NE(canary->slowed.reason, "");
}

}  // namespace
}  // namespace assay::suites
