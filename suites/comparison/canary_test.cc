#include "suites/comparison/canary.h"

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

// On a real clock: what is said need not be sound beside other tests, but it is
// said of both, with the share that each has.
TEST(CanaryTest, TriesAKernelUnchangedAndSlowed) {
  const auto canary = RunCanary(1);
  ASSERT_TRUE(canary.ok()) << canary.status();
  EXPECT_EQ(canary->unchanged.share, 0);
  EXPECT_EQ(canary->slowed.share, 0.02);
  EXPECT_NE(canary->unchanged.reason, "");
  EXPECT_NE(canary->slowed.reason, "");
}

}  // namespace
}  // namespace assay::suites
