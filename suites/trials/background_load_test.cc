#include "suites/trials/background_load.h"

#include <string>

#include "gtest/gtest.h"
#include "runtime/base/clock.h"

namespace assay::suites {
namespace {

TEST(BackgroundLoadTest, IdleHasNoThreads) {
  const BackgroundLoad idle("idle", 1);
  EXPECT_EQ(idle.count(), 0);
  EXPECT_EQ(idle.MeasuredDuty(), 0);
}

TEST(BackgroundLoadTest, ThreadsAreBusyForTheirDuty) {
  for (const std::string& name : BackgroundLoadNames()) {
    if (name == "idle") continue;
    const BackgroundLoad load(name, 1);
    EXPECT_GE(load.count(), 1);
    // The duty is that of the whole bursts so far. How long they take, and the
    // pauses between them, depends on the load of the machine.
    while (load.MeasuredDuty() == 0) {
      Clock::Monotonic()->SleepNanos(1'000'000);
    }
    EXPECT_LE(load.MeasuredDuty(), 1) << name;
  }
}

}  // namespace
}  // namespace assay::suites
