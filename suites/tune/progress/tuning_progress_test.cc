#include "suites/tune/progress/tuning_progress.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/stats/verdict.h"
#include "runtime/base/clock.h"
#include "suites/harness/progress.h"
#include "suites/kernels/peak/arithmetic.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kSecond = 1'000'000'000;
constexpr double kMs = 1e6;  // nanoseconds
constexpr char kConv[] = "conv2d 64x56x56 3x3";

class TuningProgressTest : public testing::Test {
 protected:
  TuningProgress Begin(int tasks, PeakRates peaks = {}) {
    return TuningProgress({tasks, std::move(peaks)}, &out_, &line_, &clock_);
  }

  // Returns a record of another point each time.
  TuningRecord Trial(double ns, std::vector<double> default_ns = {}) {
    TuningRecord record;
    record.anchor = "conv2d(float32[8], float32[8]) -> float32[8]";
    record.implementation = "conv2d.direct";
    record.config.SetKnob("tile", ++points_);
    record.samples_ns = {ns, 1.1 * ns};
    record.default_ns = std::move(default_ns);
    return record;
  }
  TuningRecord Failure() {
    TuningRecord record = Trial(1);
    record.samples_ns.clear();
    record.status = TrialStatus::kWrong;
    return record;
  }

  // Returns the progress line, without the control sequences.
  std::string Line() {
    const std::string all = terminal_.str();
    terminal_.str("");
    const size_t begin = all.rfind("\x1b[?7l");
    const size_t end = all.rfind("\x1b[?7h");
    return begin < end ? all.substr(begin + 5, end - begin - 5) : "";
  }

  int points_ = 0;
  std::ostringstream out_;
  std::ostringstream terminal_;
  FakeClock clock_;
  Progress line_{&terminal_, &clock_};
};

TEST_F(TuningProgressTest, LineHasTrialsBestErrorsSpeedAndTimeLeft) {
  TuningProgress progress = Begin(3, {{Arithmetic::kFloat32, 100}});
  progress.Start(0, {kConv, 2'000'000'000, 12096, 100});
  EXPECT_EQ(Line(), "task 1/3 conv2d 64x56x56 3x3: starting");
  clock_.Advance(kSecond);
  progress.Add(0, Trial(100 * kMs));
  // 299 trials of a second are left.
  EXPECT_EQ(Line(),
            "task 1/3 conv2d 64x56x56 3x3: trial 1/100, best 20.0 GFLOP/s "
            "(20 % of peak), 1.0 trials/s, 5 min left");
  clock_.Advance(kSecond / 2);
  progress.Add(0, Failure());
  EXPECT_EQ(Line(),
            "task 1/3 conv2d 64x56x56 3x3: trial 2/100, best 20.0 GFLOP/s "
            "(20 % of peak), 1 error, 1.3 trials/s, 4 min left");
  progress.Add(0, Trial(40 * kMs, {100 * kMs}));
  progress.Add(0, Trial(200 * kMs, {100 * kMs}));
  progress.Add(0, Failure());
  EXPECT_THAT(Line(), HasSubstr("trial 5/100, best 50.0 GFLOP/s (50 % of "
                                "peak), 2 errors, 3.3 trials/s"));
}

TEST_F(TuningProgressTest, LineIsShortWhileLittleIsKnown) {
  TuningProgress progress = Begin(1);
  progress.Start(0, {"relu 8", 0, 2, 100});
  progress.Add(0, Failure());
  EXPECT_EQ(Line(), "task 1/1 relu 8: trial 1/2, 1 error, 0 s left");
  clock_.Advance(kSecond);
  progress.Add(0, Trial(12500));
  EXPECT_EQ(Line(),
            "task 1/1 relu 8: trial 2/2, best 12.50 µs, 1 error, 2.0 trials/s, "
            "0 s left");
}

TEST_F(TuningProgressTest, TimesAreRelativeToTheDefaultPoint) {
  TuningProgress progress = Begin(1);
  progress.Start(0, {"relu 8", 0, 9, 9});
  progress.Add(0, Trial(10 * kMs));
  progress.Add(0, Trial(12 * kMs, {20 * kMs}));  // the machine is slower now
  EXPECT_THAT(Line(), HasSubstr("best 6.000 ms"));
}

TEST_F(TuningProgressTest, PointsThatAreMeasuredAgainAreNoTrials) {
  TuningProgress progress = Begin(1);
  progress.Start(0, {kConv, 0, 10, 1});
  const TuningRecord record = Trial(kMs);
  progress.Add(0, record);
  EXPECT_THAT(Line(), HasSubstr("trial 1/1,"));
  progress.Add(0, record);
  EXPECT_THAT(Line(), HasSubstr("3x3: measuring the finalists, best"));
  TuningRecord comparison = record;
  comparison.verdict = TuningVerdict{stats::Verdict::kImproved, 0.5, 0.4, 0.6};
  progress.Add(0, comparison);
  EXPECT_THAT(Line(), HasSubstr("3x3: compared: improved, best"));
}

TEST_F(TuningProgressTest, ReplayedTrialsTakeNoTime) {
  TuningProgress progress = Begin(1);
  progress.Start(0, {kConv, 1'000'000'000, 1000, 100});
  for (int i = 0; i < 50; ++i) progress.Replay(0, Trial(100 * kMs));
  EXPECT_EQ(Line(),
            "task 1/1 conv2d 64x56x56 3x3: trial 50/100, best 10.0 GFLOP/s");
  clock_.Advance(10 * kSecond);
  progress.Add(0, Trial(100 * kMs, {50 * kMs}));
  EXPECT_EQ(Line(),
            "task 1/1 conv2d 64x56x56 3x3: trial 51/100, best 20.0 GFLOP/s, "
            "0.1 trials/s, 8 min left");
}

TEST_F(TuningProgressTest, SpeedIsOfTheTaskAndTimeLeftOfTheRun) {
  TuningProgress progress = Begin(2);
  progress.Start(0, {kConv, 0, 10, 100});
  for (int i = 0; i < 10; ++i) {
    clock_.Advance(kSecond);
    progress.Add(0, Trial(100 * kMs));
  }
  progress.Finish(0, absl::OkStatus());
  progress.Start(0, {kConv, 0, 20, 100});
  clock_.Advance(10 * kSecond);
  progress.Add(0, Trial(100 * kMs));
  // 11 trials took 20 s, and 19 are left.
  EXPECT_THAT(Line(), HasSubstr("trial 1/20, best 100.0 ms, 0.1 trials/s, 35 s "
                                "left"));
}

TEST_F(TuningProgressTest, LineOfSeveralDevicesBeginsWithTheSums) {
  TuningProgress progress = Begin(3);
  progress.Start(0, {"relu 8", 0, 10, 10});
  progress.Start(1, {"relu 9", 0, 10, 10});
  clock_.Advance(kSecond);
  progress.Add(0, Trial(kMs));
  progress.Add(1, Failure());
  // 28 trials are left: 9 of each device, and 10 of the third task.
  EXPECT_EQ(Line(),
            "0/3 tasks done, 1 error, 2.0 trials/s, 14 s left; relu 8: trial "
            "1/10, best 1.000 ms · relu 9: trial 1/10");
  progress.Finish(1, absl::OkStatus());
  EXPECT_THAT(Line(), HasSubstr("task 1/3 relu 8: trial 1/10, best"));
  progress.Start(1, {"relu 10", 0, 10, 10});
  EXPECT_THAT(Line(), HasSubstr("1/3 tasks done"));
  progress.Finish(1, absl::OkStatus());
  progress.Finish(0, absl::OkStatus());
  EXPECT_THAT(out_.str(), HasSubstr(" 2/3  "));
}

TEST_F(TuningProgressTest, NoRateIsAboveThePeak) {
  TuningProgress progress = Begin(1, {{Arithmetic::kFloat32, 100}});
  progress.Start(0, {kConv, 100'000'000, 10, 10});
  progress.Add(0, Trial(2 * kMs));
  progress.Add(0, Trial(kMs, {4 * kMs}));  // nobody can be so fast
  EXPECT_THAT(Line(), HasSubstr("best 100.0 GFLOP/s (100 % of peak)"));
  TuningRecord winograd = Trial(kMs, {4 * kMs});
  winograd.implementation = "conv2d.winograd_nchwc";
  TuningProgress other = Begin(1, {{Arithmetic::kFloat32, 100}});
  other.Start(0, {kConv, 100'000'000, 10, 10});
  other.Add(0, Trial(2 * kMs));
  other.Add(0, winograd);
  EXPECT_THAT(Line(), HasSubstr("best 200.0 GFLOP/s (200 % of peak)"));
}

TEST_F(TuningProgressTest, FinalistsCountInsteadOfLuckyTrials) {
  TuningProgress progress = Begin(1);
  progress.Start(0, {kConv, 0, 10, 10});
  progress.Add(0, Trial(10 * kMs));
  TuningRecord lucky = Trial(5 * kMs, {10 * kMs});
  progress.Add(0, lucky);
  EXPECT_THAT(Line(), HasSubstr("best 5.000 ms"));
  lucky.samples_ns = {12 * kMs, 11 * kMs};
  lucky.default_ns = {12 * kMs, 10 * kMs};
  lucky.loads = 2;
  progress.Add(0, lucky);
  EXPECT_THAT(Line(), HasSubstr("best 10.50 ms"));
}

TEST_F(TuningProgressTest, PrintsAnAlignedLinePerTask) {
  TuningProgress progress = Begin(10, {{Arithmetic::kFloat32, 100}});
  progress.Start(0, {kConv, 40'000'000, 12096, 1000});
  progress.Add(0, Trial(812300));
  progress.Add(0, Failure());
  TuningRecord best = Trial(640200, {812300});
  progress.Add(0, best);
  best.verdict = TuningVerdict{stats::Verdict::kImproved, 0.787, 0.771, 0.803};
  progress.Add(0, best);
  progress.Finish(0, absl::OkStatus());
  progress.Start(0, {"relu 8", 0, 2, 1000});
  progress.Add(0, Trial(12500));
  progress.Finish(0, absl::OkStatus());
  progress.Start(0, {"dense 1x512 1000x512", 1'024'000, 84, 1000});
  progress.Finish(0, absl::InternalError("the default point failed"));
  EXPECT_EQ(
      out_.str(),
      " task  points  trials  errors   default      best  GFLOP/s  peak  "
      "time / default     verdict       kernel\n"
      " 1/10   12096       3       1  812.3 µs  640.2 µs     62.5   62%  "
      "0.79 [0.77, 0.80]  improved      conv2d 64x56x56 3x3\n"
      " 2/10       2       1       0  12.50 µs  12.50 µs        -     -  "
      "-                  -             relu 8\n"
      " 3/10      84       0       0         -         -        -     -  "
      "-                  -             dense 1x512 1000x512: the default "
      "point failed\n");
}

TEST_F(TuningProgressTest, PeakHasNoColumnIfItIsUnknown) {
  TuningProgress progress = Begin(1);
  progress.Start(0, {"dense 1x2", 1'000'000, 1, 1});
  progress.Add(0, Trial(kMs));
  progress.Finish(0, absl::OkStatus());
  EXPECT_EQ(out_.str(),
            "task  points  trials  errors   default      best  GFLOP/s  "
            "time / default     verdict       kernel\n"
            " 1/1       1       1       0  1.000 ms  1.000 ms      1.0  "
            "-                  -             dense 1x2\n");
}

TEST_F(TuningProgressTest, PeakIsThatOfTheBestPoint) {
  TuningProgress progress =
      Begin(2, {{Arithmetic::kFloat32, 100}, {Arithmetic::kSplitFloat32, 400}});
  progress.Start(0, {kConv, 1'000'000'000, 10, 10});
  progress.Add(0, Trial(20 * kMs));
  EXPECT_THAT(Line(), HasSubstr("best 50.0 GFLOP/s (50 % of peak)"));
  TuningRecord split = Trial(5 * kMs, {20 * kMs});
  split.implementation = "conv2d.bf16x3_nchwc";
  progress.Add(0, split);
  EXPECT_THAT(Line(), HasSubstr("best 200.0 GFLOP/s (50 % of peak)"));
  progress.Finish(0, absl::OkStatus());
  // The peak of products of bytes is not known.
  progress.Start(0, {kConv, 1'000'000'000, 10, 10});
  TuningRecord bytes = Trial(kMs);
  bytes.anchor = "conv2d(uint8[8], int8[8]) -> int32[8]";
  progress.Add(0, bytes);
  const std::string line = Line();
  EXPECT_THAT(line, HasSubstr("best 1000.0 GFLOP/s"));
  EXPECT_THAT(line, Not(HasSubstr("of peak")));
  progress.Finish(0, absl::OkStatus());
  EXPECT_THAT(out_.str(), HasSubstr(" 200.0   50%  "));
  EXPECT_THAT(out_.str(), HasSubstr("1000.0     -  "));
}

TEST_F(TuningProgressTest, ErasesTheLineBeforeTheTable) {
  TuningProgress progress = Begin(1);
  progress.Start(0, {"relu 8", 0, 1, 1});
  progress.Finish(0, absl::OkStatus());
  EXPECT_THAT(terminal_.str(), EndsWith("\r\x1b[K"));
}

TEST_F(TuningProgressTest, WithoutTerminalOnlyTheTableIsPrinted) {
  Progress silent(nullptr, &clock_);
  TuningProgress progress({1}, &out_, &silent, &clock_);
  progress.Start(0, {"relu 8", 0, 1, 1});
  progress.Add(0, Trial(kMs));
  EXPECT_EQ(out_.str(), "");
  progress.Finish(0, absl::OkStatus());
  EXPECT_THAT(out_.str(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(out_.str(), EndsWith("relu 8\n"));
}

}  // namespace
}  // namespace assay::suites
