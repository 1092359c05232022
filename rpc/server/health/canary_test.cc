#include "rpc/server/health/canary.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

// This test also runs on emulated boards of other architectures.
TEST(CanaryTest, AllMachinesHaveTheSameAnswer) {
  EXPECT_EQ(CanaryWork(), kCanaryAnswer) << std::hex << CanaryWork();
}

TEST(CanaryTest, RunsOnThisMachine) {
  const CanaryResult result = RunCanary();
  EXPECT_TRUE(result.right);
  EXPECT_GT(result.nanos, 50'000);
  EXPECT_LT(result.nanos, 200 * kMillisecond);
}

TEST(CanaryTest, TheTimeIsThatOfTheFastestRepetition) {
  FakeClock clock;
  const std::vector<int64_t> times = {9, 7, 12, 6, 8};
  size_t runs = 0;
  const CanaryResult result = RunCanary(&clock, [&] {
    clock.Advance(times[runs++ % times.size()] * kMillisecond);
    return kCanaryAnswer;
  });
  EXPECT_TRUE(result.right);
  EXPECT_EQ(result.nanos, 6 * kMillisecond);
  EXPECT_EQ(runs, 12u) << "0.1 s with 8.4 ms on average";
}

TEST(CanaryTest, SlowMachinesRepeatLessOften) {
  FakeClock clock;
  int runs = 0;
  const CanaryResult result = RunCanary(&clock, [&] {
    clock.Advance(1000 * kMillisecond);
    ++runs;
    return kCanaryAnswer;
  });
  EXPECT_EQ(result.nanos, 1000 * kMillisecond);
  EXPECT_EQ(runs, 5);
}

TEST(CanaryTest, OneWrongRepetitionIsWrong) {
  FakeClock clock;
  int runs = 0;
  const CanaryResult result = RunCanary(&clock, [&] {
    clock.Advance(kMillisecond);
    return kCanaryAnswer ^ (++runs == 50 ? 1u : 0u);
  });
  EXPECT_FALSE(result.right);
  EXPECT_EQ(runs, 100);
}

TEST(CanaryTest, BusyThreadsDoNotSlowItDown) {
  // The ratio of 1.2 is the limit of CanaryJudge. It is allowed to be exceeded
  // now and then, but not in most runs.
  int64_t quiet = RunCanary().nanos;
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&stop] {
      std::vector<int> memory(1 << 20);
      for (size_t i = 0; !stop; ++i) ++memory[i % memory.size()];
    });
  }
  int slow = 0;
  for (int run = 0; run < 3; ++run) {
    if (RunCanary().nanos > quiet * 12 / 10) ++slow;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_LT(slow, 3);
}

}  // namespace
}  // namespace assay::rpc
