#include "reports/result/device_state.h"

#include "gtest/gtest.h"

namespace assay::reports {
namespace {

TEST(DeviceStateTest, JoinedBlocksKeepTheOuterStates) {
  BlockState first, second;
  first.samples = 2;
  first.before.frequency_mhz = 1200;
  first.after.frequency_mhz = 1100;
  second.samples = 3;
  second.before.frequency_mhz = 1000;
  second.after.load = 0.5;
  const BlockState joined = Join(first, second);
  EXPECT_EQ(joined.samples, 5);
  EXPECT_TRUE(joined.before == first.before);
  EXPECT_TRUE(joined.after == second.after);
}

TEST(DeviceStateTest, JoinedBlocksAreAsHotAsTheHottest) {
  BlockState first, second;
  first.after.temperature_celsius = 81;
  first.after.throttled = true;
  second.before.temperature_celsius = 80;
  second.after.temperature_celsius = 60;
  second.after.throttled = false;
  BlockState joined = Join(first, second);
  EXPECT_EQ(joined.after.temperature_celsius, 81);
  EXPECT_EQ(joined.after.throttled, true);

  first.after = {};
  joined = Join(first, second);
  EXPECT_EQ(joined.after.temperature_celsius, 80);
  EXPECT_EQ(joined.after.throttled, false);
  EXPECT_FALSE(joined.before.temperature_celsius.has_value());
}

}  // namespace
}  // namespace assay::reports
