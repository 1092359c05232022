#include "runtime/measure/timing_loop.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

class TimingLoopTest : public testing::Test {
 protected:
  TimingLoopTest() {
    hooks_.run = [this] {
      ++runs_;
      clock_.Advance(nanos_per_run_);
      return absl::OkStatus();
    };
  }
  TimingSamples Run() {
    absl::StatusOr<TimingSamples> samples =
        RunTimingLoop(hooks_, options_, &clock_);
    EXPECT_TRUE(samples.ok()) << samples.status();
    return *std::move(samples);
  }

  FakeClock clock_;
  int64_t nanos_per_run_ = 1000;
  int64_t runs_ = 0;
  TimingLoopHooks hooks_;
  MeasureOptions options_;
};

TEST_F(TimingLoopTest, TakesRepeatMeansOfNumberRunsAfterTheWarmup) {
  options_.warmup = 3;
  options_.number = 10;
  options_.repeat = 4;
  const TimingSamples samples = Run();
  EXPECT_EQ(samples.samples_ns, std::vector<double>(4, 1000));
  EXPECT_EQ(samples.numbers, std::vector<int64_t>(4, 10));
  EXPECT_EQ(runs_, 3 + 40);
}

TEST_F(TimingLoopTest, ASampleIsAMean) {
  options_.warmup = 0;
  options_.number = 4;
  options_.repeat = 2;
  hooks_.run = [this] {
    clock_.Advance(++runs_);
    return absl::OkStatus();
  };
  EXPECT_EQ(Run().samples_ns, (std::vector<double>{2.5, 6.5}));
}

TEST_F(TimingLoopTest, BeforeLastIsCalledBeforeTheLastRunAndNotTimed) {
  options_.warmup = 0;
  options_.repeat = 2;
  std::vector<int64_t> called_at;
  hooks_.before_last = [&] {
    called_at.push_back(runs_);
    clock_.Advance(1000000);
    return absl::OkStatus();
  };
  options_.number = 5;
  EXPECT_EQ(Run().samples_ns, std::vector<double>(2, 1000));
  EXPECT_EQ(called_at, (std::vector<int64_t>{4, 9}));
  options_.number = 1;
  EXPECT_EQ(Run().samples_ns, std::vector<double>(2, 1000));
  EXPECT_EQ(called_at, (std::vector<int64_t>{4, 9, 10, 11}));
}

TEST_F(TimingLoopTest, NumberGrowsToMinRepeatMsAndStays) {
  options_.warmup = 0;
  options_.number = 1;
  options_.repeat = 3;
  options_.min_repeat_ms = 5;
  const TimingSamples samples = Run();
  EXPECT_EQ(samples.numbers, std::vector<int64_t>(3, 5001));
  EXPECT_EQ(samples.samples_ns, std::vector<double>(3, 1000));
  EXPECT_EQ(runs_, 1 + 3 * 5001);  // the batch of one is thrown away
}

TEST_F(TimingLoopTest, NumberGrowsInALaterRepeatToo) {
  options_.warmup = 0;
  options_.number = 1000;
  options_.repeat = 3;
  options_.min_repeat_ms = 1;
  hooks_.progress = [this](const MeasureProgress& p) {
    if (p.done == 1) nanos_per_run_ = 500;  // the clock rate rose
  };
  const TimingSamples samples = Run();
  EXPECT_EQ(samples.numbers, (std::vector<int64_t>{1000, 2001, 2001}));
  EXPECT_EQ(samples.samples_ns, (std::vector<double>{1000, 500, 500}));
}

// A clock that only ticks every 16 ms sees most short batches take no time.
TEST_F(TimingLoopTest, ZeroDurationsNeverBecomeSamples) {
  options_.number = 1;
  options_.repeat = 5;
  int64_t true_nanos = 0;
  hooks_.run = [&] {
    true_nanos += 1000;
    const int64_t tick = true_nanos / 16000000 * 16000000;
    clock_.Advance(tick - clock_.NowNanos());
    return absl::OkStatus();
  };
  for (double sample : Run().samples_ns) EXPECT_GT(sample, 0);
}

TEST_F(TimingLoopTest, AStoppedClockIsAnError) {
  options_.warmup = 0;
  hooks_.run = [] { return absl::OkStatus(); };
  const absl::Status status = RunTimingLoop(hooks_, options_, &clock_).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_NE(status.message().find("runs took 0 ns, less than the 1 wanted"),
            absl::string_view::npos);
}

TEST_F(TimingLoopTest, SleepsBetweenRepeatsOutsideTheTime) {
  options_.repeat = 3;
  options_.number = 1;
  options_.warmup = 0;
  options_.cooldown_interval_ms = 7;
  EXPECT_EQ(Run().samples_ns, std::vector<double>(3, 1000));
  EXPECT_EQ(clock_.NowNanos(), 2 * 7000000 + 3 * 1000);
}

TEST_F(TimingLoopTest, HooksComeInOrder) {
  std::string log;
  options_.warmup = 1;
  options_.number = 2;
  options_.repeat = 2;
  hooks_.before_batch = [&] {
    log += "B";
    clock_.Advance(1000000);
    return absl::OkStatus();
  };
  hooks_.run = [&] {
    log += "r";
    clock_.Advance(10);
    return absl::OkStatus();
  };
  hooks_.progress = [&](const MeasureProgress& p) {
    EXPECT_EQ(p.repeat, 2);
    EXPECT_EQ(p.last_sample_ns, 10);
    log += std::to_string(p.done);
  };
  EXPECT_EQ(Run().samples_ns, (std::vector<double>{10, 10}));
  EXPECT_EQ(log, "rBrr1Brr2");
}

TEST_F(TimingLoopTest, TheFirstErrorEndsIt) {
  hooks_.run = [this] {
    return ++runs_ == 5 ? absl::InternalError("kernel") : absl::OkStatus();
  };
  EXPECT_EQ(RunTimingLoop(hooks_, options_, &clock_).status(),
            absl::InternalError("kernel"));
  EXPECT_EQ(runs_, 5);
}

TEST(CheckOptionsTest, NamesTheOption) {
  EXPECT_TRUE(CheckOptions(MeasureOptions()).ok());
  const auto message = [](void (*change)(MeasureOptions&)) {
    MeasureOptions options;
    change(options);
    return std::string(CheckOptions(options).message());
  };
  EXPECT_EQ(message([](MeasureOptions& o) { o.warmup = -1; }),
            "`warmup` is -1, not between 0 and 1000000000");
  EXPECT_EQ(message([](MeasureOptions& o) { o.number = 0; }),
            "`number` is 0, not between 1 and 1000000000");
  EXPECT_EQ(message([](MeasureOptions& o) { o.repeat = 0; }),
            "`repeat` is 0, not between 1 and 1000000");
  EXPECT_EQ(message([](MeasureOptions& o) { o.min_repeat_ms = -5; }),
            "`min_repeat_ms` is -5, not between 0 and 86400000");
  EXPECT_EQ(message([](MeasureOptions& o) { o.cooldown_interval_ms = -5; }),
            "`cooldown_interval_ms` is -5, not between 0 and 86400000");
  EXPECT_EQ(message([](MeasureOptions& o) { o.flush_cache_bytes = -5; }),
            "`flush_cache_bytes` is -5, not between 0 and 1099511627776");
}

}  // namespace
}  // namespace assay::runtime
