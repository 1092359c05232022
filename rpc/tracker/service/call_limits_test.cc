#include "rpc/tracker/service/call_limits.h"

#include <utility>

#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

TEST(CallLimitsTest, LimitsTheOpenCallsOfEachCaller) {
  CallLimits limits("Acquire", 2);
  auto first = limits.Take("ann");
  auto second = limits.Take("ann");
  EXPECT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(limits.Take("ann").status(),
            absl::ResourceExhaustedError(
                "`ann` has 2 open calls of Acquire already"));
  EXPECT_TRUE(limits.Take("ben").ok());
  {
    const CallLimits::Slot moved = *std::move(first);
    EXPECT_FALSE(limits.Take("ann").ok());
  }
  EXPECT_TRUE(limits.Take("ann").ok());
}

}  // namespace
}  // namespace assay::rpc
