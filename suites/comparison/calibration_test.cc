#include "suites/comparison/calibration.h"

#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"
#include "runtime/measure/testing/fake_session.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

// Makes runs of `session` take 10 us, with noise of up to 5 %.
void SetNoisyRuns(runtime::FakeSession* session) {
  session->run = [rng = Rng(7)](int, int64_t number) mutable {
    return static_cast<int64_t>(10'000.0 * static_cast<double>(number) *
                                (1 + rng.UniformFloat(0, 0.05f)));
  };
}

// A kernel and a copy of it that does a share of extra work.
PairLoader Pair(runtime::FakeSession* session, double share) {
  return [session, share](const PairPlacement&) {
    ProgramPair pair;
    pair.base = {"base", session};
    pair.run = {"copy", session, 0, share};
    return pair;
  };
}

TEST(CalibrationTest, PlansMixSharesAndKernels) {
  CalibrationOptions options;
  options.shares = {0, 0.02};
  options.trials = {30, 10};
  const std::vector<Trial> plan = PlanTrials(options, "idle", {"a", "b"});
  ASSERT_EQ(plan.size(), 40u);
  std::map<std::string, int> count;
  int changes = 0;
  for (size_t i = 0; i < plan.size(); ++i) {
    ++count[plan[i].kernel + (plan[i].share > 0 ? "+" : "")];
    changes += i > 0 && plan[i].share != plan[i - 1].share;
  }
  EXPECT_EQ(count, (std::map<std::string, int>{
                       {"a", 15}, {"b", 15}, {"a+", 5}, {"b+", 5}}));
  EXPECT_GT(changes, 6);
  EXPECT_NE(plan[0].seed, plan[1].seed);
}

TEST(CalibrationTest, TrialsFindTheExtraWork) {
  FakeClock clock;
  runtime::FakeSession session(&clock);
  SetNoisyRuns(&session);
  CalibrationOptions options;
  for (const double share : {0.0, 0.05}) {
    Trial trial;
    trial.share = share;
    ASSERT_TRUE(RunTrial(Pair(&session, share), options, &clock, &trial).ok());
    EXPECT_EQ(trial.verdict, share > 0 ? stats::Verdict::kRegressed
                                       : stats::Verdict::kEquivalent);
    EXPECT_NEAR(trial.change, share, 0.02);
    EXPECT_TRUE(trial.covered) << trial.lower << " " << trial.upper;
    EXPECT_GT(trial.seconds, 0);
    EXPECT_LE(trial.seconds, 3.1);
  }
}

TEST(CalibrationTest, BudgetEndsAnUndecidableTrial) {
  FakeClock clock;
  runtime::FakeSession session(&clock);
  SetNoisyRuns(&session);
  CalibrationOptions options;
  options.test.margin = 0.0005;
  options.budget_s = 0.5;
  Trial trial;
  ASSERT_TRUE(RunTrial(Pair(&session, 0), options, &clock, &trial).ok());
  EXPECT_EQ(trial.verdict, stats::Verdict::kInconclusive);
  EXPECT_NEAR(trial.seconds, 0.5, 0.02);
}

Trial Answered(double share, stats::Verdict verdict, bool covered) {
  Trial trial;
  trial.regime = "idle";
  trial.kernel = "k";
  trial.share = share;
  trial.seed = 0xfedcba9876543210u;
  trial.verdict = verdict;
  trial.loads = 80;
  trial.seconds = 0.25;
  trial.covered = covered;
  trial.log_e_slower = verdict == stats::Verdict::kRegressed ? 20 : -2;
  return trial;
}

TEST(CalibrationTest, ParsesWhatItWrites) {
  const Trial trial = Answered(0.005, stats::Verdict::kEquivalent, true);
  const auto read = ParseTrials(TrialHeader() + TrialLine(trial));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(TrialLine(read->front()), TrialLine(trial));
  const auto broken = ParseTrials(TrialHeader() + "idle,k,0.5\n");
  EXPECT_THAT(std::string(broken.status().message()),
              HasSubstr("line 2 is not a trial"));
}

TEST(CalibrationTest, ReportCountsVerdictsCoverageAndAlerts) {
  std::vector<Trial> trials;
  for (int i = 0; i < 10; ++i) {
    trials.push_back(Answered(0, stats::Verdict::kEquivalent, i != 3));
  }
  trials.push_back(Answered(0.02, stats::Verdict::kRegressed, true));
  const std::string quiet = CalibrationReport(trials);
  EXPECT_THAT(quiet, HasSubstr("0.0 % [0.0, 30.8]"));     // false alarms
  EXPECT_THAT(quiet, HasSubstr("90.0 % [55.5, 99.7]"));   // coverage
  EXPECT_THAT(quiet, HasSubstr("100.0 % [2.5, 100.0]"));  // power
  EXPECT_THAT(quiet, HasSubstr("0 have any alert"));
  trials.push_back(Answered(0, stats::Verdict::kRegressed, true));
  EXPECT_THAT(CalibrationReport(trials), HasSubstr("200 have any alert"));
}

}  // namespace
}  // namespace assay::suites
