#include "rpc/server/health/health_monitor.h"

#include <stdio.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "rpc/program/event_log.h"
#include "rpc/server/health/canary.h"
#include "rpc/server/health/canary_judge.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

class HealthMonitorTest : public testing::Test {
 protected:
  HealthMonitorTest() {
    hooks_.try_begin = [this] {
      ++tries_;
      if (!idle_) return false;
      EXPECT_FALSE(reserved_.exchange(true));
      return true;
    };
    hooks_.end = [this] { EXPECT_TRUE(reserved_.exchange(false)); };
    hooks_.canary = [this] {
      EXPECT_TRUE(reserved_);
      ++runs_;
      return CanaryResult{nanos_, right_};
    };
    options_.interval_nanos = 5 * kMillisecond;
    options_.unsettled_interval_nanos = kMillisecond;
    options_.busy_interval_nanos = kMillisecond;
  }
  ~HealthMonitorTest() override { fclose(out_); }

  // Waits until `condition` is true; fails after 10 s.
  static void WaitFor(const std::function<bool()>& condition) {
    const absl::Time end = absl::Now() + absl::Seconds(10);
    while (!condition()) {
      ASSERT_LT(absl::Now(), end);
      absl::SleepFor(absl::Milliseconds(1));
    }
  }
  // The number of lines of the log that have the event.
  int CountEvents(const std::string& event) const {
    fflush(out_);
    const std::string text = *ReadFile(log_path_);
    int count = 0;
    for (size_t at = text.find(event); at != std::string::npos;
         at = text.find(event, at + 1)) {
      ++count;
    }
    return count;
  }

  const TempDir dir_ = *TempDir::Create();
  const std::string log_path_ = JoinPath(dir_.path(), "log");
  FILE* const out_ = fopen(log_path_.c_str(), "w");
  EventLog log_{out_, "server"};
  std::atomic<bool> idle_{true};
  std::atomic<bool> reserved_{false};
  std::atomic<bool> right_{true};
  std::atomic<int64_t> nanos_{10 * kMillisecond};
  std::atomic<int> runs_{0};
  std::atomic<int> tries_{0};
  HealthMonitor::Hooks hooks_;
  HealthMonitorOptions options_;
};

TEST_F(HealthMonitorTest, ReportsTheCanary) {
  HealthMonitor monitor(CanaryJudge("", "board"), hooks_, &log_, options_);
  WaitFor([&] { return runs_ >= 6; });
  WaitFor([&] { return monitor.health().canary_nanos() > 0; });
  const Health health = monitor.health();
  EXPECT_EQ(health.canary_nanos(), 10 * kMillisecond);
  EXPECT_EQ(health.usual_canary_nanos(), 10 * kMillisecond);
  EXPECT_EQ(health.problem(), "");
  EXPECT_EQ(health.crashes(), 0);
}

TEST_F(HealthMonitorTest, RunsTheRealCanary) {
  hooks_.canary = HealthMonitor::Hooks().canary;
  HealthMonitor monitor(CanaryJudge("", "board"), hooks_, &log_, options_);
  WaitFor([&] { return monitor.health().canary_nanos() > 0; });
  EXPECT_EQ(monitor.health().problem(), "");
}

TEST_F(HealthMonitorTest, ASlowDeviceHasAProblemUntilItRecovers) {
  HealthMonitor monitor(CanaryJudge("", "board"), hooks_, &log_, options_);
  WaitFor([&] { return runs_ >= 10; });
  nanos_ = 14 * kMillisecond;
  WaitFor([&] { return !monitor.health().problem().empty(); });
  EXPECT_EQ(monitor.health().canary_nanos(), 14 * kMillisecond);
  EXPECT_EQ(monitor.health().usual_canary_nanos(), 10 * kMillisecond);
  nanos_ = 10 * kMillisecond;
  WaitFor([&] { return monitor.health().problem().empty(); });
  WaitFor([&] { return CountEvents("device_healthy") == 1; });
  EXPECT_EQ(CountEvents("device_unhealthy"), 1);
}

TEST_F(HealthMonitorTest, ADeviceThatComputesWronglyHasAProblem) {
  right_ = false;
  HealthMonitor monitor(CanaryJudge("", "board"), hooks_, &log_, options_);
  WaitFor([&] { return !monitor.health().problem().empty(); });
}

TEST_F(HealthMonitorTest, TheCanaryDoesNotRunDuringASession) {
  idle_ = false;
  HealthMonitor monitor(CanaryJudge("", "board"), hooks_, &log_, options_);
  WaitFor([&] { return tries_ >= 10; });
  EXPECT_EQ(runs_, 0);
  EXPECT_EQ(monitor.health().canary_nanos(), 0);
  idle_ = true;
  WaitFor([&] { return runs_ >= 1; });
}

TEST_F(HealthMonitorTest, StopsWithoutWaitingForTheInterval) {
  options_.unsettled_interval_nanos = 3600'000 * kMillisecond;
  const absl::Time start = absl::Now();
  {
    HealthMonitor monitor(CanaryJudge("", "board"), hooks_, &log_, options_);
    WaitFor([&] { return runs_ == 1; });
  }
  EXPECT_LT(absl::Now() - start, absl::Seconds(1));
  EXPECT_EQ(runs_, 1);
  EXPECT_FALSE(reserved_);
}

TEST_F(HealthMonitorTest, CrashesAreAProblemWithoutACanary) {
  options_.unsettled_interval_nanos = 3600'000 * kMillisecond;
  std::atomic<bool> crashed{false};
  hooks_.crashes = [&] { return crashed ? 9 : 0; };
  hooks_.crash_problem = [&] { return crashed ? "crashed" : ""; };
  HealthMonitor monitor(CanaryJudge("", "board"), hooks_, &log_, options_);
  WaitFor([&] { return runs_ == 1; });
  EXPECT_EQ(monitor.health().problem(), "");
  crashed = true;
  EXPECT_EQ(monitor.health().problem(), "crashed");
  EXPECT_EQ(monitor.health().crashes(), 9);
  WaitFor([&] { return CountEvents("device_unhealthy") == 1; });
  EXPECT_EQ(runs_, 1);
}

TEST_F(HealthMonitorTest, ThreeGoodCanariesEndTheProblemOfCrashes) {
  std::atomic<int> runs_at_end{0};
  hooks_.crash_problem = [&] { return runs_at_end == 0 ? "crashed" : ""; };
  hooks_.forget_crashes = [&] { runs_at_end = runs_.load(); };
  right_ = false;
  HealthMonitor monitor(CanaryJudge("", "board"), hooks_, &log_, options_);
  WaitFor([&] { return runs_ >= 10; });
  EXPECT_EQ(runs_at_end, 0);
  idle_ = false;
  WaitFor([&, tries = tries_.load()] { return tries_ > tries + 1; });
  const int runs = runs_;
  right_ = true;
  idle_ = true;
  WaitFor([&] { return runs_at_end != 0; });
  EXPECT_EQ(runs_at_end, runs + 3);
  WaitFor([&] { return monitor.health().problem().empty(); });
}

}  // namespace
}  // namespace assay::rpc
