#include "suites/trials/neighbours.h"

#include "gtest/gtest.h"
#include "runtime/base/clock.h"

namespace assay::suites {
namespace {

TEST(NeighboursTest, IdleHasNoThreads) {
  const Neighbours idle(NeighbourKind::kIdle, 1);
  EXPECT_EQ(idle.count(), 0);
  EXPECT_EQ(idle.MeasuredDuty(), 0);
}

TEST(NeighboursTest, ThreadsAreBusyForTheirDuty) {
  for (const std::string& name : NeighbourNames()) {
    const NeighbourKind kind = ParseNeighbourKind(name);
    if (kind == NeighbourKind::kIdle) continue;
    const Neighbours neighbours(kind, 1);
    EXPECT_GE(neighbours.count(), 1);
    Clock::Monotonic()->SleepNanos(300'000'000);
    // The bounds are wide because bursts and pauses are longer on a busy
    // machine.
    if (kind == NeighbourKind::kSteady) continue;  // counts whole bursts
    EXPECT_GT(neighbours.MeasuredDuty(), 0.02) << name;
    EXPECT_LT(neighbours.MeasuredDuty(), 0.95) << name;
  }
}

}  // namespace
}  // namespace assay::suites
