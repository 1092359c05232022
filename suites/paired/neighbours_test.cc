#include "suites/paired/neighbours.h"

#include "gtest/gtest.h"
#include "runtime/base/clock.h"

namespace assay::suites {
namespace {

TEST(NeighboursTest, NoneWithoutDuty) {
  const Neighbours neighbours(0, 1);
  EXPECT_EQ(neighbours.count(), 0);
  EXPECT_EQ(neighbours.MeasuredDuty(), 0);
}

TEST(NeighboursTest, AreBusyForPartOfTheTime) {
  const Neighbours neighbours(0.25, 1);
  EXPECT_GE(neighbours.count(), 1);
  Clock::Monotonic()->SleepNanos(300'000'000);
  // On a busy machine a burst takes longer than it should, and so do pauses.
  EXPECT_GT(neighbours.MeasuredDuty(), 0.02);
  EXPECT_LT(neighbours.MeasuredDuty(), 0.9);
}

}  // namespace
}  // namespace assay::suites
