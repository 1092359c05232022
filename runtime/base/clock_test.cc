#include "runtime/base/clock.h"

#include "gtest/gtest.h"

namespace assay {
namespace {

TEST(ClockTest, SleepsAtLeastTheGivenTime) {
  Clock* clock = Clock::Monotonic();
  const int64_t before = clock->NowNanos();
  clock->SleepNanos(2000000);
  EXPECT_GE(clock->NowNanos() - before, 2000000);
  const int64_t now = MonotonicNanos();
  clock->SleepNanos(-1);
  EXPECT_GE(MonotonicNanos(), now);
}

TEST(ClockTest, FakeClockAdvancesOnlyExplicitly) {
  FakeClock clock;
  EXPECT_EQ(clock.NowNanos(), 0);
  EXPECT_EQ(clock.NowNanos(), 0);
  clock.Advance(5);
  clock.SleepNanos(7);
  clock.SleepNanos(-3);
  EXPECT_EQ(clock.NowNanos(), 12);
}

}  // namespace
}  // namespace assay
