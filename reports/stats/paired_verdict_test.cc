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

// Evenly spread around `center`, in an order that mixes small and large.
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

TEST(PairedVerdictTest, AnImprovementIsFinalOnceASlowDownWouldBeSeen) {
  const PairedVerdict rough = Judge(-0.2, 0.2, 60, Budget::kLeft);
  EXPECT_EQ(rough.verdict, Verdict::kImproved);
  EXPECT_FALSE(rough.final);
  EXPECT_FALSE(MayPass(rough, 0.01));
  const PairedVerdict fine = Judge(-0.2, 0.02, 60, Budget::kLeft);
  EXPECT_TRUE(fine.final);
  EXPECT_TRUE(MayPass(fine, 0.01));
}

TEST(PairedVerdictTest, OneOfEach) {
  EXPECT_EQ(Judge(0.02, 0.05, 200).verdict, Verdict::kRegressed);
  EXPECT_EQ(Judge(-0.02, 0.05, 200).verdict, Verdict::kImproved);
  EXPECT_EQ(Judge(0.0, 0.05, 600).verdict, Verdict::kEquivalent);
  EXPECT_EQ(Judge(0.0, 0.5, 600).verdict, Verdict::kInconclusive);
  // Slower for certain, and for certain by less than matters.
  const PairedVerdict small = Judge(0.003, 0.01, 600);
  EXPECT_EQ(small.verdict, Verdict::kEquivalent);
  EXPECT_GT(small.lower, 0);
}

TEST(PairedVerdictTest, SilenceIsNotEquivalence) {
  // Nothing is found in a few samples, and nothing is said.
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

TEST(PairedVerdictTest, InconclusiveGoesOnUntilTheBudgetIsSpent) {
  const PairedVerdict so_far = Judge(0.004, 0.06, 100, Budget::kLeft);
  EXPECT_EQ(so_far.verdict, Verdict::kInconclusive);
  EXPECT_FALSE(so_far.final);
  const PairedVerdict last = Judge(0.004, 0.06, 100, Budget::kSpent);
  EXPECT_EQ(last.verdict, Verdict::kInconclusive);
  EXPECT_TRUE(last.final);
  EXPECT_EQ(last.pairs_to_go, 0);
  EXPECT_TRUE(Judge(0.02, 0.05, 200, Budget::kLeft).final);
}

TEST(PairedVerdictTest, TheEstimateOfWhatIsMissingIsAboutRight) {
  const double kCenter = 0.01;
  const double kWidth = 0.1;
  const PairedVerdict early = Judge(kCenter, kWidth, 100, Budget::kLeft);
  ASSERT_FALSE(early.final);
  int needed = 100;
  while (!Judge(kCenter, kWidth, needed, Budget::kLeft).final) needed += 10;
  EXPECT_GT(100 + early.pairs_to_go, 0.6 * needed);
  EXPECT_LT(100 + early.pairs_to_go, 1.6 * needed);
}

TEST(PairedVerdictTest, ChangesAreRelativeAndSurroundTheMedian) {
  const PairedVerdict verdict = Judge(std::log(1.5), 0.1, 200);
  EXPECT_NEAR(verdict.change, 0.5, 0.005);
  EXPECT_LT(verdict.lower, verdict.change);
  EXPECT_GT(verdict.upper, verdict.change);
  EXPECT_GT(verdict.log_e_slower, std::log(200.0));
  EXPECT_LT(verdict.log_e_faster, 0);
}

// In a suite a cell needs more.
TEST(PairedVerdictTest, TheAlarmCanBeSetHigher) {
  PairedOptions options;
  const std::vector<double> ratios = Spread(0.025, 0.1, 150);
  const PairedVerdict alone = JudgePairs(ratios, options, Budget::kLeft);
  ASSERT_EQ(alone.verdict, Verdict::kRegressed);
  options.log_e_alarm = alone.log_e_slower + 0.1;
  const PairedVerdict in_suite = JudgePairs(ratios, options, Budget::kLeft);
  EXPECT_EQ(in_suite.verdict, Verdict::kInconclusive);
  EXPECT_FALSE(in_suite.final);
}

// A clock that ticks in steps of 2 % cannot tell programs that differ by 1 %.
TEST(PairedVerdictTest, WithinATickNothingIsSeen) {
  std::vector<double> ratios(300, 0.0);
  for (size_t i = 0; i < ratios.size(); i += 3) ratios[i] = 0.02;
  for (size_t i = 1; i < ratios.size(); i += 3) ratios[i] = -0.02;
  const PairedVerdict verdict =
      JudgePairs(ratios, PairedOptions(), Budget::kSpent);
  EXPECT_EQ(verdict.lower, 0);
  EXPECT_EQ(verdict.upper, 0);
  EXPECT_GE(verdict.detectable, 0.019);
  EXPECT_EQ(verdict.verdict, Verdict::kInconclusive);
  // Four times as many could tell, not one more.
  EXPECT_GT(JudgePairs(ratios, PairedOptions(), Budget::kLeft).pairs_to_go,
            300);
  const std::vector<double> equal(300, 0.0);
  EXPECT_EQ(JudgePairs(equal, PairedOptions(), Budget::kSpent).verdict,
            Verdict::kInconclusive);
}

// The margin itself is the largest change that does not matter.
TEST(PairedVerdictTest, OfTheMarginOrATickMore) {
  const auto ticks_around = [](double center) {
    std::vector<double> ratios(300, center);
    for (size_t i = 0; i < ratios.size(); i += 3) ratios[i] = center - 0.001;
    for (size_t i = 1; i < ratios.size(); i += 3) ratios[i] = center + 0.001;
    return JudgePairs(ratios, PairedOptions(), Budget::kSpent).verdict;
  };
  EXPECT_EQ(ticks_around(std::log1p(0.01)), Verdict::kEquivalent);
  EXPECT_EQ(ticks_around(std::log1p(0.01) + 0.001), Verdict::kRegressed);
}

TEST(PairedVerdictTest, Descriptions) {
  EXPECT_EQ(Describe(Judge(0.02, 0.05, 200)),
            "2.0 % slower [+1.4 %, +2.7 %], 200 pairs; a change of 0.8 % "
            "would be seen");
  EXPECT_EQ(Describe(Judge(-0.02, 0.05, 5)),
            "2.0 % faster, 5 pairs: too few for an interval");
}

// Whatever the samples, a gate lets nothing through that it could not have
// seen, that may lie beyond its threshold, or that has no good verdict.
TEST(MayPassTest, NeverBlindlyInAThousandConfigurations) {
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
    // True here, unless the interval misses.
    EXPECT_LE(shift, std::log1p(threshold) + 0.5 * scatter);
  }
  EXPECT_GT(passed, 100);
}

TEST(MayPassTest, EachConditionCounts) {
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

// Whole runs on the noise of a virtual machine, stopped by the verdict itself.
Tally Simulate(const std::string& noise, double change) {
  Experiment e;
  e.noise = NoiseOf(noise);
  e.change = change;
  e.trials = 150;
  e.seed = 17;
  return RunTrials(e);
}

TEST(PairedSimulationTest, AnUnchangedProgramRaisesNoAlarm) {
  for (const char* noise : {"quiet", "noisy", "heavy_tails", "autocorrelated",
                            "bursts", "coarse_clock"}) {
    const Tally t = Simulate(noise, 0);
    const int64_t alarms = t.regressed + t.improved;
    EXPECT_LE(ClopperPearson(alarms, t.trials, 0.998).lower, 0.01) << noise;
    EXPECT_GE(ClopperPearson(t.covered, t.trials, 0.998).upper, 0.99) << noise;
  }
  EXPECT_GE(Simulate("quiet", 0).equivalent, 150 * 70 / 100);
}

TEST(PairedSimulationTest, ChangesAreFound) {
  for (const char* noise : {"quiet", "noisy"}) {
    const Tally one = Simulate(noise, 0.01);
    EXPECT_GE(one.regressed, 150 * 93 / 100) << noise;
    const Tally two = Simulate(noise, 0.02);
    EXPECT_GE(two.regressed, 149) << noise;
    // 0.6 s at 4 ms per pair.
    EXPECT_LE(two.pairs[75], 150) << noise;
    EXPECT_EQ(Simulate(noise, -0.02).improved, two.trials) << noise;
  }
}

// Changes of the size that is claimed to be detectable are seen in 80 % of the
// runs at the end, or a little more.
TEST(PairedSimulationTest, WhatIsClaimedToBeDetectableIs) {
  Experiment e;
  e.noise = NoiseOf("quiet");
  e.trials = 300;
  e.most_pairs = 400;
  e.seed = 23;
  const Detection d = RunDetection(e);
  EXPECT_GE(d.seen_at_end, 300 * 72 / 100);
  EXPECT_LE(d.seen_at_end, 300 * 93 / 100);
  EXPECT_GE(d.claimed_p10, 0.75 * d.claimed);
  EXPECT_LE(d.claimed_p90, 1.3 * d.claimed);
}

TEST(PairedSimulationTest, NightsOfASuite) {
  Experiment e;
  e.noise = NoiseOf("noisy");
  e.change = 0.03;
  e.most_pairs = 300;
  e.seed = 29;
  const Nights nights = RunNights(e, 3, 60, 6, 0.05);
  EXPECT_EQ(nights.changed_cells, 18);
  EXPECT_GE(nights.alerts - nights.false_alerts, 16);
  EXPECT_LE(nights.false_alerts, 1);
}

}  // namespace
}  // namespace assay::stats
