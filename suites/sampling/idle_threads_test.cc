#include "suites/sampling/idle_threads.h"

#include <atomic>
#include <thread>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

TEST(WaitForIdleTest, WaitsUntilNoThreadSpins) {
  FakeClock clock;
  // A thread spins for 5 ms and sleeps for a moment in between.
  const auto running = [&] {
    const int64_t now = clock.NowNanos();
    return now < 5'000'000 && now != 1'000'000 ? 1 : 0;
  };
  WaitForIdle(running, &clock);
  EXPECT_EQ(clock.NowNanos(), 5'200'000);
}

TEST(WaitForIdleTest, TimesOut) {
  FakeClock clock;
  WaitForIdle([] { return 1; }, &clock);
  EXPECT_EQ(clock.NowNanos(), 200'000'000);
}

TEST(WaitForIdleTest, IgnoresTheCallingThread) {
  EXPECT_EQ(RunningThreads(), 0);
  WaitForIdleThreads();
}

TEST(WaitForIdleTest, CountsASpinningThread) {
  std::atomic<bool> stop{false};
  std::thread spins([&] {
    while (!stop) {
    }
  });
  EXPECT_EQ(RunningThreads(), 1);
  stop = true;
  spins.join();
  WaitForIdleThreads();  // a joined thread may still be listed
  EXPECT_EQ(RunningThreads(), 0);
}

}  // namespace
}  // namespace assay::suites
