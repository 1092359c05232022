#include "reports/stats/tail_sequence.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/stats/binomial.h"
#include "reports/stats/testing/noise.h"
#include "reports/stats/testing/tail_trials.h"

namespace assay::stats {
namespace {

using ::testing::HasSubstr;
using Times = std::vector<double>;

TailExperiment Quiet(double share, double slower) {
  TailExperiment experiment;
  experiment.noise = NoiseOf("quiet");
  experiment.share = share;
  experiment.slower = slower;
  return experiment;
}

TEST(TailSequenceTest, EqualProgramsKeepTheErrorRate) {
  for (const char* noise : {"quiet", "noisy", "heavy_tails", "placement"}) {
    TailExperiment equal;
    equal.noise = NoiseOf(noise);
    equal.trials = 300;
    // With a large alpha, false alarms are frequent enough to be counted.
    equal.e_alarm = 10;
    const int64_t alarms = RunTailTrials(equal);
    EXPECT_LE(ClopperPearson(alarms, equal.trials, 0.999).lower, 0.1) << noise;
  }
}

TEST(TailSequenceTest, SlowTailsAreFound) {
  const auto power = [](TailExperiment experiment, int64_t loads,
                        int64_t rounds) {
    experiment.loads = loads;
    experiment.rounds_per_load = rounds;
    experiment.trials = 50;
    return static_cast<double>(RunTailTrials(experiment)) / 50;
  };
  // 15 % of the inferences are interrupted anyway.
  EXPECT_GE(power(Quiet(0.03, 1.3), 200, 32), 0.9);
  EXPECT_GE(power(Quiet(0.10, 1.3), 120, 8), 0.9);
  // Normally distributed noise of 4 %.
  TailExperiment calm = Quiet(0.03, 1.3);
  calm.noise = NoiseOf("autocorrelated");
  EXPECT_GE(power(calm, 60, 32), 0.9);
}

TEST(TailSequenceTest, FasterTailsAreNoAlarm) {
  EXPECT_EQ(RunTailTrials(Quiet(0.03, 0.7)), 0);
}

TEST(TailSequenceTest, ASmallShiftOfAllInferencesIsNoTail) {
  TailSequence tail;
  for (int load = 0; load < 100; ++load) {
    tail.Add(Times(8, 10), Times(8, 10.05));
  }
  EXPECT_EQ(tail.Evidence().log_e, 0);
}

TEST(TailSequenceTest, ALoadIsOnePieceOfEvidence) {
  TailSequence tail;
  Times run(100, 1);
  for (int i = 0; i < 40; ++i) run[i] = 5 + 0.01 * i;
  tail.Add(Times(100, 1), run);
  EXPECT_LE(tail.Evidence().log_e, std::log(2.0));
  EXPECT_GT(tail.Evidence().log_e, 0);
}

TEST(TailSequenceTest, EqualTimesAndNothingAreNoEvidence) {
  TailSequence tail;
  EXPECT_EQ(tail.Evidence(), TailEvidence());
  tail.Add({}, {});
  EXPECT_EQ(tail.Evidence(), TailEvidence());
  tail.Add(Times(10, 2), Times(10, 2));
  EXPECT_EQ(tail.Evidence().log_e, 0);
  EXPECT_EQ(tail.Evidence().inferences, 10);
}

TEST(TailSequenceTest, DescribesTheTail) {
  TailSequence tail;
  for (int load = 0; load < 30; ++load) {
    Times base(8, 1), run(8, 1);
    for (int i = 0; i < 8; ++i) base[i] = run[i] = 1 + 0.001 * i;
    if (load % 2 == 0) run[load / 2 % 8] = 1.5;
    tail.Add(base, run);
  }
  const TailEvidence evidence = tail.Evidence();
  EXPECT_GT(evidence.log_e, std::log(400.0));
  EXPECT_EQ(evidence.inferences, 240);
  EXPECT_GE(evidence.run_slow, 14);
  EXPECT_GE(evidence.run_slow - evidence.base_slow, 14);
  EXPECT_THAT(Describe(evidence),
              HasSubstr(" of 240 inferences took more than "));
}

}  // namespace
}  // namespace assay::stats
