#include "reports/stats/compare.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

using ::testing::HasSubstr;

Summary Make(double median, double robust_sigma, int64_t count = 20) {
  Summary s;
  s.count = count;
  s.mean = s.median = median;
  s.std = s.robust_sigma = robust_sigma;
  return s;
}

TEST(ScreenTest, UsesMinimumThresholdForLowVariance) {
  const Screening same = Screen(Make(10.4, 0.01), Make(10, 0.01), false);
  EXPECT_EQ(same.verdict, Verdict::kPass);
  EXPECT_NEAR(same.delta, 0.04, 1e-12);
  EXPECT_EQ(same.threshold, 0.05);
  EXPECT_EQ(same.reason, "");

  const Screening slow = Screen(Make(10.6, 0.01), Make(10, 0.01), false);
  EXPECT_EQ(slow.verdict, Verdict::kRegressed);
  EXPECT_EQ(slow.reason,
            "6.0 % slower than the baseline; the threshold is 5.0 %");
  EXPECT_EQ(Screen(Make(9.4, 0.01), Make(10, 0.01), false).verdict,
            Verdict::kImproved);
}

TEST(ScreenTest, VarianceOfEitherSideRaisesTheThreshold) {
  // 3 * sqrt(0.3^2 + 0.4^2) / 10 = 15 %.
  const Screening s = Screen(Make(11, 0.3), Make(10, 0.4), false);
  EXPECT_NEAR(s.threshold, 0.15, 1e-12);
  EXPECT_EQ(s.verdict, Verdict::kPass);
  EXPECT_EQ(Screen(Make(12, 0.3), Make(10, 0.4), false).verdict,
            Verdict::kRegressed);
}

TEST(ScreenTest, TooFewSamplesAreInconclusive) {
  const Screening run = Screen(Make(20, 0, 5), Make(10, 0), false);
  EXPECT_EQ(run.verdict, Verdict::kInconclusive);
  EXPECT_EQ(run.reason, "the run has 5 samples; a comparison needs 6");
  const Screening base = Screen(Make(20, 0), Make(10, 0, 1), false);
  EXPECT_EQ(base.verdict, Verdict::kInconclusive);
  EXPECT_THAT(base.reason, HasSubstr("the baseline has 1 samples"));
  EXPECT_EQ(Screen(Make(20, 0, 6), Make(10, 0, 6), false).verdict,
            Verdict::kRegressed);
}

TEST(ScreenTest, HighVarianceIsInconclusive) {
  const Screening s = Screen(Make(10, 1), Make(10, 1), false);
  EXPECT_EQ(s.verdict, Verdict::kInconclusive);
  EXPECT_THAT(s.reason, HasSubstr("a change below 42.4 % would not be seen"));
  // A change above even this threshold is reported.
  EXPECT_EQ(Screen(Make(20, 1), Make(10, 1), false).verdict,
            Verdict::kRegressed);
}

TEST(ScreenTest, AttributesDifferencesToAChangedEnvironment) {
  EXPECT_EQ(Screen(Make(20, 0.1), Make(10, 0.1), true).verdict,
            Verdict::kEnvironmentChanged);
  EXPECT_EQ(Screen(Make(5, 0.1), Make(10, 0.1), true).verdict,
            Verdict::kEnvironmentChanged);
  EXPECT_EQ(Screen(Make(10, 0.1), Make(10, 0.1), true).verdict, Verdict::kPass);
}

// A run whose level drifts by 3 % (one standard deviation) from run to run and
// whose samples have a standard deviation of 5 %, as on a small virtual
// machine.
std::vector<double> NoisyRun(Rng& rng, double level) {
  const double drifted = level * (1 + rng.NormalFloat(0, 0.03f));
  std::vector<double> samples(40);
  for (double& x : samples) x = drifted * (1 + rng.NormalFloat(0, 0.05f));
  return samples;
}

TEST(ScreenTest, ToleratesDriftAndDetectsLargeSlowdowns) {
  constexpr uint64_t kSeed = 20;
  RecordProperty("seed", std::to_string(kSeed));
  Rng rng(kSeed);
  constexpr int kTrials = 1000;
  int false_alarms = 0;
  int caught = 0;
  for (int i = 0; i < kTrials; ++i) {
    const Summary baseline = Summarize(NoisyRun(rng, 10));
    const Verdict same =
        Screen(Summarize(NoisyRun(rng, 10)), baseline, false).verdict;
    false_alarms += same == Verdict::kRegressed || same == Verdict::kImproved;
    caught += Screen(Summarize(NoisyRun(rng, 14)), baseline, false).verdict ==
              Verdict::kRegressed;
  }
  EXPECT_LE(false_alarms, kTrials / 100);
  EXPECT_GE(caught, kTrials * 95 / 100);
}

TEST(VerdictTest, NamesRoundTrip) {
  for (int i = 0; i <= static_cast<int>(Verdict::kInfrastructure); ++i) {
    const Verdict verdict = static_cast<Verdict>(i);
    const absl::StatusOr<Verdict> parsed = ParseVerdict(VerdictName(verdict));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, verdict);
  }
  EXPECT_EQ(ParseVerdict("fine").status().message(), "`fine` is not a verdict");
}

}  // namespace
}  // namespace assay::stats
