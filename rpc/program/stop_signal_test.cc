#include "rpc/program/stop_signal.h"

#include <signal.h>
#include <unistd.h>

#include <thread>

#include "gtest/gtest.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

TEST(StopSignalTest, WaitsForASignal) {
  StopSignal stop;
  EXPECT_EQ(stop.Wait(0), 0);
  EXPECT_EQ(stop.Wait(1'000'000), 0);
  std::thread sender([] {
    Clock::Monotonic()->SleepNanos(20'000'000);
    kill(getpid(), SIGTERM);
  });
  EXPECT_EQ(stop.Wait(), SIGTERM);
  sender.join();
}

TEST(StopSignalTest, ASignalThatCameEarlierIsNotLost) {
  StopSignal stop;
  kill(getpid(), SIGINT);
  EXPECT_EQ(stop.Wait(), SIGINT);
}

TEST(StopSignalDeathTest, TheSecondSignalEndsTheProgram) {
  EXPECT_EXIT(
      {
        StopSignal stop;
        kill(getpid(), SIGTERM);
        if (stop.Wait() != SIGTERM) _exit(1);
        kill(getpid(), SIGTERM);
        sleep(5);
        _exit(2);
      },
      testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace assay::rpc
