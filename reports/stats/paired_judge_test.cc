#include "reports/stats/paired_judge.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::stats {
namespace {

using ::testing::StartsWith;

// The outcome after `count` loads whose times change by these factors, with a
// noise of 0.1 %.
PairedOutcome Outcome(int count, double fastest, double typical) {
  PairedJudge judge({});
  for (int i = 0; i < count; ++i) {
    const double noise = 0.0002 * (i * 7 % 11 - 5);
    judge.Add({std::log(fastest) + noise, std::log(typical) + noise});
  }
  return judge.Judge(Budget::kLeft);
}

TEST(PairedJudgeTest, FastestInferencesDecide) {
  const PairedOutcome outcome = Outcome(15, 1.03, 1);
  EXPECT_EQ(outcome.verdict.verdict, Verdict::kRegressed);
  EXPECT_FALSE(outcome.typical_regressed);
  EXPECT_THAT(Describe(outcome), StartsWith("3.0 % slower"));
  EXPECT_EQ(Outcome(15, 0.97, 1).verdict.verdict, Verdict::kImproved);
}

TEST(PairedJudgeTest, TypicalInferencesCanRegressAlone) {
  const PairedOutcome outcome = Outcome(15, 1, 1.05);
  EXPECT_EQ(outcome.verdict.verdict, Verdict::kRegressed);
  EXPECT_TRUE(outcome.typical_regressed);
  EXPECT_THAT(Describe(outcome),
              StartsWith("typical inferences: 5.0 % slower"));
}

TEST(PairedJudgeTest, TypicalInferencesCannotImproveAlone) {
  EXPECT_EQ(Outcome(30, 1, 0.95).verdict.verdict, Verdict::kEquivalent);
}

TEST(PairedJudgeTest, NoAlarmBeforeTheFifteenthLoad) {
  EXPECT_EQ(Outcome(14, 2, 2).verdict.verdict, Verdict::kInconclusive);
}

}  // namespace
}  // namespace assay::stats
