#include "runtime/measure/loop_session.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

// Runs take a given time on a clock that the test controls.
class ClockedSession : public LoopSession {
 public:
  explicit ClockedSession(FakeClock* clock) : LoopSession(clock) {
    run = [this, clock](int program) {
      clock->Advance(nanos_per_run[program]);
      return absl::OkStatus();
    };
  }
  int threads() const override { return 1; }

  std::function<absl::Status(int program)> run;
  std::function<absl::Status()> poison = [] { return absl::OkStatus(); };
  int64_t nanos_per_run[2] = {1000, 2000};
  std::vector<int64_t> runs = {0, 0};
  std::string log;

 private:
  absl::StatusOr<int64_t> TimeRuns(int program, int64_t number,
                                   bool poison_outputs) override {
    const auto once = [&] {
      ++runs[program];
      log += static_cast<char>('a' + program);
      return run(program);
    };
    if (!poison_outputs) return TimeLoop(number, once);
    return TimeLoop(number, once, [&] {
      log += "P";
      return poison();
    });
  }
  absl::StatusOr<NamedTensors> Outputs(int) override {
    log += "O";
    return NamedTensors();
  }
  absl::Status FlushCaches(int64_t bytes) override {
    log += "F" + std::to_string(bytes);
    return absl::OkStatus();
  }
};

class LoopSessionTest : public testing::Test {
 protected:
  std::vector<Sample> Run() {
    absl::StatusOr<std::vector<Sample>> samples = session_.RunBlock(block_);
    EXPECT_TRUE(samples.ok()) << samples.status();
    return *std::move(samples);
  }
  std::vector<double> NanosPerRun() {
    std::vector<double> nanos;
    for (const Sample& sample : Run()) nanos.push_back(sample.NanosPerRun());
    return nanos;
  }

  FakeClock clock_;
  ClockedSession session_{&clock_};
  Block block_;
};

TEST_F(LoopSessionTest, TakesSamplesInTheGivenOrder) {
  block_.samples = {{0, 2}, {1, 1}, {1, 1}, {0, 3}};
  EXPECT_EQ(NanosPerRun(), (std::vector<double>{1000, 2000, 2000, 1000}));
  EXPECT_EQ(session_.log, "aabbaaa");
}

TEST_F(LoopSessionTest, WarmupRunsAreNotTimed) {
  block_.samples = {{0, 10, /*warmup_runs=*/3}};
  const std::vector<Sample> samples = Run();
  EXPECT_EQ(samples[0].nanos, 10000);
  EXPECT_EQ(samples[0].number, 10);
  EXPECT_EQ(session_.runs[0], 3 + 10);
}

TEST_F(LoopSessionTest, WarmsUpForTheGivenTime) {
  block_.samples = {{0, 2, /*warmup_runs=*/1, /*warmup_nanos=*/3500}};
  EXPECT_EQ(NanosPerRun(), std::vector<double>{1000});
  EXPECT_EQ(session_.runs[0], 4 + 2);
}

TEST_F(LoopSessionTest, SampleIsTheMeanOverItsRuns) {
  block_.samples = {{0, 4}, {0, 4}};
  session_.run = [&](int) {
    clock_.Advance(session_.runs[0]);
    return absl::OkStatus();
  };
  EXPECT_EQ(NanosPerRun(), (std::vector<double>{2.5, 6.5}));
}

TEST_F(LoopSessionTest, OutputsArePoisonedBeforeTheLastRunAndNotTimed) {
  block_.read_outputs = true;
  session_.poison = [&] {
    clock_.Advance(1000000);
    return absl::OkStatus();
  };
  block_.samples = {{0, 5}, {0, 1}};
  EXPECT_EQ(NanosPerRun(), std::vector<double>(2, 1000));
  EXPECT_EQ(session_.log, "aaaaPaOPaO");
}

TEST_F(LoopSessionTest, ChecksRunsThatAreDrawnFromTheSeed) {
  block_.read_outputs = true;
  block_.checked_run_seed = 3;
  block_.samples.assign(200, {0, 4});
  session_.poison = [&] {
    clock_.Advance(1000000);
    return absl::OkStatus();
  };
  EXPECT_EQ(NanosPerRun(), std::vector<double>(200, 1000));
  std::map<std::string, int> patterns;
  for (size_t i = 0; i < session_.log.size(); i += 6) {
    ++patterns[session_.log.substr(i, 6)];
  }
  EXPECT_EQ(patterns.size(), 4u);
  for (const char* pattern : {"PaOaaa", "aPaOaa", "aaPaOa", "aaaPaO"}) {
    EXPECT_GT(patterns[pattern], 25) << pattern;
  }
}

TEST_F(LoopSessionTest, NumberGrowsToTheMinimumTimeAndStays) {
  block_.samples = {{0, 1}, {0, 1}, {0, 1}};
  block_.min_sample_nanos = 5000000;
  for (const Sample& sample : Run()) {
    EXPECT_EQ(sample.number, 5001);
    EXPECT_EQ(sample.NanosPerRun(), 1000);
  }
  EXPECT_EQ(session_.runs[0], 1 + 3 * 5001);  // the first sample is discarded
}

TEST_F(LoopSessionTest, NumberAlsoGrowsInLaterSamples) {
  block_.samples = {{0, 1000}, {0, 1000}, {0, 1000}};
  block_.min_sample_nanos = 1000000;
  session_.run = [&](int) {
    // The clock rate of the device rises after the first sample.
    clock_.Advance(session_.runs[0] <= 1000 ? 1000 : 500);
    return absl::OkStatus();
  };
  const std::vector<Sample> samples = Run();
  EXPECT_EQ(samples[0].number, 1000);
  EXPECT_EQ(samples[1].number, 2001);
  EXPECT_EQ(samples[2].number, 2001);
  EXPECT_EQ(samples[2].NanosPerRun(), 500);
}

TEST_F(LoopSessionTest, ProgramsGrowIndependently) {
  block_.samples = {{0, 1}, {1, 1}};
  block_.min_sample_nanos = 1500;
  const std::vector<Sample> samples = Run();
  EXPECT_EQ(samples[0].number, 2);
  EXPECT_EQ(samples[1].number, 1);
}

// A clock with a resolution of 16 ms measures 0 for most short samples.
TEST_F(LoopSessionTest, SamplesAreNeverZero) {
  block_.samples = std::vector<SampleSpec>(5);
  session_.run = [&](int) {
    const int64_t true_nanos = session_.runs[0] * 1000;
    const int64_t tick = true_nanos / 16000000 * 16000000;
    clock_.Advance(tick - clock_.NowNanos());
    return absl::OkStatus();
  };
  for (const Sample& sample : Run()) EXPECT_GT(sample.nanos, 0);
}

TEST_F(LoopSessionTest, StoppedClockIsAnError) {
  block_.samples = {{}};
  session_.nanos_per_run[0] = 0;
  const absl::Status status = session_.RunBlock(block_).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_NE(status.message().find("runs took 0 ns, less than the 1 wanted"),
            absl::string_view::npos);
}

TEST_F(LoopSessionTest, PausesBeforeEachSampleOutsideTheTime) {
  block_.samples = {{}, {}, {}};
  block_.cooldown_nanos = 7000000;
  EXPECT_EQ(NanosPerRun(), std::vector<double>(3, 1000));
  EXPECT_EQ(clock_.NowNanos(), 3 * 7000000 + 3 * 1000);
}

TEST_F(LoopSessionTest, FlushesCachesBetweenWarmupAndSample) {
  block_.samples = {{0, 2, /*warmup_runs=*/1}, {1, 1}};
  block_.flush_cache_bytes = 64;
  block_.read_outputs = true;
  EXPECT_EQ(NanosPerRun(), (std::vector<double>{1000, 2000}));
  EXPECT_EQ(session_.log, "aF64aPaOF64PbO");
}

TEST_F(LoopSessionTest, FirstErrorEndsTheBlock) {
  block_.samples = {{0, 10}, {1, 10}};
  session_.run = [&](int) {
    return session_.runs[0] == 5 ? absl::InternalError("kernel")
                                 : absl::OkStatus();
  };
  EXPECT_EQ(session_.RunBlock(block_).status(), absl::InternalError("kernel"));
  EXPECT_EQ(session_.runs[0], 5);
}

TEST_F(LoopSessionTest, RunOnceReturnsOneRunWithOutputs) {
  const absl::StatusOr<Sample> sample = RunOnce(session_, /*program=*/1);
  ASSERT_TRUE(sample.ok()) << sample.status();
  EXPECT_EQ(sample->nanos, 2000);
  EXPECT_EQ(session_.log, "PbO");
}

TEST_F(LoopSessionTest, SessionsNeedNotTimeKernelCalls) {
  EXPECT_TRUE(absl::IsUnimplemented(TimeCalls(session_).status()));
  EXPECT_EQ(session_.log, "a");
}

TEST_F(LoopSessionTest, ARunThatTakesNoTimeHasNoTimesOfKernelCalls) {
  int64_t runs = 0;
  session_.run = [&](int) {
    if (++runs == 2) clock_.Advance(1);
    return absl::OkStatus();
  };
  const absl::Status status = TimeCalls(session_).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
}

}  // namespace
}  // namespace assay::runtime
