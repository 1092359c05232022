#include "reports/stats/paired_verdict.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "reports/stats/binomial.h"
#include "reports/stats/testing/simulation.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

// `count` evenly spaced values around `center`, in a mixed order.
std::vector<double> Spread(double center, double width, int count) {
  std::vector<double> ratios;
  for (int i = 0; i < count; ++i) {
    ratios.push_back(center + width * ((i * 37 % count + 0.5) / count - 0.5));
  }
  return ratios;
}

PairedVerdict Judge(double center, double width, int count,
                    Budget budget = Budget::kSpent) {
  return JudgePairs(Spread(center, width, count), PairedOptions(), budget);
}

TEST(PairedVerdictTest, ImprovementIsFinalWhenMarginIsDetectable) {
  const PairedVerdict rough = Judge(-0.2, 0.2, 60, Budget::kLeft);
  EXPECT_EQ(rough.verdict, Verdict::kImproved);
  EXPECT_FALSE(rough.final);
  EXPECT_FALSE(MayPass(rough, 0.01));
  const PairedVerdict fine = Judge(-0.2, 0.02, 60, Budget::kLeft);
  EXPECT_TRUE(fine.final);
  EXPECT_TRUE(MayPass(fine, 0.01));
}

TEST(PairedVerdictTest, ReachesEachVerdict) {
  EXPECT_EQ(Judge(0.02, 0.05, 200).verdict, Verdict::kRegressed);
  EXPECT_EQ(Judge(-0.02, 0.05, 200).verdict, Verdict::kImproved);
  EXPECT_EQ(Judge(0.0, 0.05, 600).verdict, Verdict::kEquivalent);
  EXPECT_EQ(Judge(0.0, 0.5, 600).verdict, Verdict::kInconclusive);
  // Significantly slower, but by less than the margin.
  const PairedVerdict small = Judge(0.003, 0.01, 600);
  EXPECT_EQ(small.verdict, Verdict::kEquivalent);
  EXPECT_GT(small.lower, 0);
}

TEST(PairedVerdictTest, TooFewSamplesAreInconclusiveNotEquivalent) {
  for (const int count : {1, 5, 20}) {
    const PairedVerdict verdict = Judge(0.0, 0.05, count);
    EXPECT_EQ(verdict.verdict, Verdict::kInconclusive) << count;
    EXPECT_TRUE(verdict.final);
    EXPECT_FALSE(MayPass(verdict, 0.01));
  }
  const PairedVerdict nothing = JudgePairs({}, PairedOptions(), Budget::kSpent);
  EXPECT_EQ(nothing.verdict, Verdict::kInconclusive);
  EXPECT_EQ(nothing.detectable, std::numeric_limits<double>::infinity());
}

TEST(PairedVerdictTest, InconclusiveIsFinalOnlyWithoutBudget) {
  const PairedVerdict so_far = Judge(0.004, 0.06, 100, Budget::kLeft);
  EXPECT_EQ(so_far.verdict, Verdict::kInconclusive);
  EXPECT_FALSE(so_far.final);
  const PairedVerdict last = Judge(0.004, 0.06, 100, Budget::kSpent);
  EXPECT_EQ(last.verdict, Verdict::kInconclusive);
  EXPECT_TRUE(last.final);
  EXPECT_EQ(last.loads_to_go, 0);
  EXPECT_TRUE(Judge(0.02, 0.05, 200, Budget::kLeft).final);
}

TEST(PairedVerdictTest, EstimatesRemainingLoads) {
  const double kCenter = 0.01;
  const double kWidth = 0.1;
  const PairedVerdict early = Judge(kCenter, kWidth, 100, Budget::kLeft);
  ASSERT_FALSE(early.final);
  int needed = 100;
  while (!Judge(kCenter, kWidth, needed, Budget::kLeft).final) needed += 10;
  EXPECT_GT(100 + early.loads_to_go, 0.6 * needed);
  EXPECT_LT(100 + early.loads_to_go, 1.6 * needed);
}

TEST(PairedVerdictTest, ReportsRelativeChangesAroundTheMedian) {
  const PairedVerdict verdict = Judge(std::log(1.5), 0.1, 200);
  EXPECT_NEAR(verdict.change, 0.5, 0.005);
  EXPECT_LT(verdict.lower, verdict.change);
  EXPECT_GT(verdict.upper, verdict.change);
  EXPECT_GT(verdict.log_e_slower, std::log(200.0));
  EXPECT_LT(verdict.log_e_faster, 0);
}

// The cells of a suite need more evidence.
TEST(PairedVerdictTest, RequiresTheConfiguredEvidence) {
  PairedOptions options;
  const std::vector<double> ratios = Spread(0.025, 0.1, 150);
  const PairedVerdict alone = JudgePairs(ratios, options, Budget::kLeft);
  ASSERT_EQ(alone.verdict, Verdict::kRegressed);
  options.log_e_alarm = alone.log_e_slower + 0.1;
  const PairedVerdict in_suite = JudgePairs(ratios, options, Budget::kLeft);
  EXPECT_EQ(in_suite.verdict, Verdict::kInconclusive);
  EXPECT_FALSE(in_suite.final);
}

// A clock with a resolution of 2 % cannot show a change of 1 %.
TEST(PairedVerdictTest, ChangesBelowClockResolutionAreInconclusive) {
  std::vector<double> ratios(300, 0.0);
  for (size_t i = 0; i < ratios.size(); i += 3) ratios[i] = 0.02;
  for (size_t i = 1; i < ratios.size(); i += 3) ratios[i] = -0.02;
  const PairedVerdict verdict =
      JudgePairs(ratios, PairedOptions(), Budget::kSpent);
  EXPECT_EQ(verdict.lower, 0);
  EXPECT_EQ(verdict.upper, 0);
  EXPECT_GE(verdict.detectable, 0.019);
  EXPECT_EQ(verdict.verdict, Verdict::kInconclusive);
  // The estimate is four times as many loads in total, not one more.
  EXPECT_GT(JudgePairs(ratios, PairedOptions(), Budget::kLeft).loads_to_go,
            300);
  const std::vector<double> equal(300, 0.0);
  EXPECT_EQ(JudgePairs(equal, PairedOptions(), Budget::kSpent).verdict,
            Verdict::kInconclusive);
}

// A change equal to the margin is equivalent.
TEST(PairedVerdictTest, MarginIsInclusive) {
  const auto ticks_around = [](double center) {
    std::vector<double> ratios(300, center);
    for (size_t i = 0; i < ratios.size(); i += 3) ratios[i] = center - 0.001;
    for (size_t i = 1; i < ratios.size(); i += 3) ratios[i] = center + 0.001;
    return JudgePairs(ratios, PairedOptions(), Budget::kSpent).verdict;
  };
  EXPECT_EQ(ticks_around(std::log1p(0.01)), Verdict::kEquivalent);
  EXPECT_EQ(ticks_around(std::log1p(0.01) + 0.001), Verdict::kRegressed);
}

TEST(PairedVerdictTest, DescribesVerdicts) {
  EXPECT_EQ(Describe(Judge(0.02, 0.05, 200)),
            "2.0 % slower [+1.4 %, +2.7 %], 200 loads; a change of 0.8 % "
            "would be seen");
  EXPECT_EQ(Describe(Judge(-0.02, 0.05, 5)),
            "2.0 % faster, 5 loads: too few for an interval");
}

// For any samples, a cell passes only if a slow-down was detectable, its
// interval is below the threshold, and its verdict is good.
TEST(MayPassTest, HoldsItsContractForRandomConfigurations) {
  constexpr uint64_t kSeed = 31;
  RecordProperty("seed", std::to_string(kSeed));
  Rng rng(kSeed);
  int passed = 0;
  for (int i = 0; i < 1000; ++i) {
    const int count = static_cast<int>(rng.UniformInt(0, 400));
    const float scatter = std::exp(rng.UniformFloat(-8, -1));
    const float shift = rng.UniformFloat(-0.04f, 0.04f);
    PairedOptions options;
    options.margin = rng.UniformFloat(0.002f, 0.05f);
    const double threshold = rng.UniformFloat(0.002f, 0.05f);
    std::vector<double> ratios;
    for (int n = 0; n < count; ++n) {
      ratios.push_back(rng.NormalFloat(shift, scatter));
    }
    const PairedVerdict cell = JudgePairs(ratios, options, Budget::kSpent);
    if (!MayPass(cell, threshold)) continue;
    ++passed;
    EXPECT_LE(cell.detectable, threshold);
    EXPECT_LE(cell.upper, threshold);
    EXPECT_TRUE(cell.verdict == Verdict::kEquivalent ||
                cell.verdict == Verdict::kImproved);
    // Holds unless the interval misses the true change.
    EXPECT_LE(shift, std::log1p(threshold) + 0.5 * scatter);
  }
  EXPECT_GT(passed, 100);
}

TEST(MayPassTest, RequiresEachCondition) {
  PairedVerdict cell;
  cell.verdict = Verdict::kEquivalent;
  cell.upper = 0.005;
  cell.detectable = 0.008;
  EXPECT_TRUE(MayPass(cell, 0.01));
  EXPECT_FALSE(MayPass(cell, 0.007));
  EXPECT_FALSE(MayPass(cell, std::nan("")));
  cell.upper = 0.011;
  EXPECT_FALSE(MayPass(cell, 0.01));
  cell.upper = 0.005;
  for (int i = 0; i <= static_cast<int>(Verdict::kInfrastructure); ++i) {
    cell.verdict = static_cast<Verdict>(i);
    EXPECT_EQ(MayPass(cell, 0.01), cell.verdict == Verdict::kEquivalent ||
                                       cell.verdict == Verdict::kImproved);
  }
  EXPECT_FALSE(MayPass(PairedVerdict(), 1));
}

// Simulates whole runs that stop at the first final verdict.
Tally Simulate(const std::string& noise, double change) {
  Experiment e;
  e.noise = NoiseOf(noise);
  e.change = change;
  e.trials = 150;
  e.seed = 17;
  return RunTrials(e);
}

TEST(PairedSimulationTest, ControlsFalseAlarmsForUnchangedPrograms) {
  for (const char* noise :
       {"quiet", "noisy", "heavy_tails", "autocorrelated", "bursts",
        "bursts_of_1", "bursts_of_2", "bursts_of_3", "bursts_of_5",
        "coarse_clock", "placement"}) {
    const Tally t = Simulate(noise, 0);
    const int64_t alarms = t.regressed + t.improved;
    EXPECT_LE(ClopperPearson(alarms, t.trials, 0.998).lower, 0.01) << noise;
    EXPECT_GE(ClopperPearson(t.covered, t.trials, 0.998).upper, 0.99) << noise;
  }
  EXPECT_GE(Simulate("noisy", 0).equivalent, 150 * 70 / 100);
}

TEST(PairedSimulationTest, DetectsChanges) {
  for (const char* noise : {"quiet", "noisy"}) {
    const Tally one = Simulate(noise, 0.01);
    EXPECT_GE(one.regressed, 150 * 80 / 100) << noise;
    const Tally two = Simulate(noise, 0.02);
    EXPECT_GE(two.regressed, 149) << noise;
    // 0.6 s at 8 ms per load.
    EXPECT_LE(two.loads[75], 75) << noise;
    EXPECT_EQ(Simulate(noise, -0.02).improved, two.trials) << noise;
  }
}

// Changes of the reported detectable size are found in at least about 80 % of
// the runs.
TEST(PairedSimulationTest, DetectableChangesAreDetected) {
  Experiment e;
  e.noise = NoiseOf("quiet");
  e.trials = 300;
  e.max_loads = 400;
  e.seed = 23;
  const Detection d = RunDetection(e);
  EXPECT_GE(d.seen_at_end, 300 * 72 / 100);
  EXPECT_LE(d.seen_at_end, 300 * 93 / 100);
  EXPECT_GE(d.claimed_p10, 0.75 * d.claimed);
  EXPECT_LE(d.claimed_p90, 1.3 * d.claimed);
}

TEST(PairedSimulationTest, FindsChangedCellsOfASuite) {
  Experiment e;
  e.noise = NoiseOf("noisy");
  e.change = 0.03;
  e.max_loads = 300;
  e.seed = 29;
  const Nights nights = RunNights(e, 3, 60, 6, 0.05);
  EXPECT_EQ(nights.changed_cells, 18);
  EXPECT_GE(nights.alerts - nights.false_alerts, 16);
  EXPECT_LE(nights.false_alerts, 1);
}

}  // namespace
}  // namespace assay::stats
