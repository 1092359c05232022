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
    // The duty is that of the whole bursts so far. How long they take, and the
    // pauses between them, depends on the load of the machine.
    while (neighbours.MeasuredDuty() == 0) {
      Clock::Monotonic()->SleepNanos(1'000'000);
    }
    EXPECT_LE(neighbours.MeasuredDuty(), 1) << name;
  }
}

}  // namespace
}  // namespace assay::suites
