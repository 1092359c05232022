#include "suites/comparison/background_load.h"

#include "gtest/gtest.h"
#include "runtime/base/clock.h"

namespace assay::suites {
namespace {

TEST(BackgroundLoadTest, NoThreadsWithoutDuty) {
  const BackgroundLoad load(0, 1);
  EXPECT_EQ(load.count(), 0);
  EXPECT_EQ(load.MeasuredDuty(), 0);
}

TEST(BackgroundLoadTest, ThreadsAreBusyForTheDuty) {
  const BackgroundLoad load(0.25, 1);
  EXPECT_GE(load.count(), 1);
  Clock::Monotonic()->SleepNanos(300'000'000);
  // The bounds are wide because bursts and pauses are longer on a busy machine.
  EXPECT_GT(load.MeasuredDuty(), 0.02);
  EXPECT_LT(load.MeasuredDuty(), 0.9);
}

}  // namespace
}  // namespace assay::suites
