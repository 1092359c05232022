#include "suites/harness/exit_rules.h"

#include <vector>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using stats::Verdict;

ExitCode Of(const std::vector<Verdict>& verdicts, const ExitRules& rules = {}) {
  reports::RunResult result;
  for (const Verdict verdict : verdicts) {
    result.rows.emplace_back();
    result.rows.back().verdict = verdict;
  }
  return ExitCodeOfRun(result, rules);
}

TEST(ExitRulesTest, OneRow) {
  EXPECT_EQ(Of({Verdict::kPass}), ExitCode::kPass);
  EXPECT_EQ(Of({Verdict::kEquivalent}), ExitCode::kPass);
  EXPECT_EQ(Of({Verdict::kImproved}), ExitCode::kPass);
  EXPECT_EQ(Of({Verdict::kRegressed}), ExitCode::kRegression);
  EXPECT_EQ(Of({Verdict::kEnvironmentChanged}), ExitCode::kInconclusive);
  EXPECT_EQ(Of({Verdict::kInconclusive}), ExitCode::kInconclusive);
  EXPECT_EQ(Of({Verdict::kNoBaseline}), ExitCode::kPass);
  EXPECT_EQ(Of({Verdict::kEmulated}), ExitCode::kPass);
  EXPECT_EQ(Of({Verdict::kWrongOutput}), ExitCode::kWrongResult);
  EXPECT_EQ(Of({Verdict::kInfrastructure}), ExitCode::kInfrastructure);
}

TEST(ExitRulesTest, RunWithoutRowsFails) {
  EXPECT_EQ(Of({}), ExitCode::kInfrastructure);
  ExitRules all;
  all.require_baseline = all.must_judge = all.blessing = true;
  EXPECT_EQ(Of({}, all), ExitCode::kInfrastructure);
}

TEST(ExitRulesTest, GateWithoutJudgedRowIsInconclusive) {
  ExitRules gate;
  gate.must_judge = true;
  EXPECT_EQ(Of({Verdict::kNoBaseline, Verdict::kEmulated}, gate),
            ExitCode::kInconclusive);
  EXPECT_EQ(Of({Verdict::kEquivalent, Verdict::kEmulated}, gate),
            ExitCode::kPass);
  EXPECT_EQ(Of({Verdict::kInfrastructure}, gate), ExitCode::kInfrastructure);
}

TEST(ExitRulesTest, MissingRequiredBaselineIsInconclusive) {
  ExitRules rules;
  rules.require_baseline = true;
  EXPECT_EQ(Of({Verdict::kNoBaseline}, rules), ExitCode::kInconclusive);
  EXPECT_EQ(Of({Verdict::kEmulated}, rules), ExitCode::kInconclusive);
  EXPECT_EQ(Of({Verdict::kPass}, rules), ExitCode::kPass);
}

TEST(ExitRulesTest, MostSevereRowDecides) {
  const Verdict kBySeverity[] = {Verdict::kPass, Verdict::kInconclusive,
                                 Verdict::kRegressed, Verdict::kInfrastructure,
                                 Verdict::kWrongOutput};
  for (const Verdict a : kBySeverity) {
    for (const Verdict b : kBySeverity) {
      EXPECT_EQ(Of({a, b}), Of({b, a}));
    }
  }
  for (size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(Of({kBySeverity[i - 1], kBySeverity[i]}), Of({kBySeverity[i]}));
  }
}

TEST(ExitRulesTest, BlessingAcceptsChangesButNotFailures) {
  ExitRules rules;
  rules.require_baseline = rules.blessing = true;
  EXPECT_EQ(Of({Verdict::kRegressed, Verdict::kEnvironmentChanged,
                Verdict::kNoBaseline},
               rules),
            ExitCode::kPass);
  EXPECT_EQ(Of({Verdict::kInconclusive}, rules), ExitCode::kInconclusive);
  EXPECT_EQ(Of({Verdict::kWrongOutput}, rules), ExitCode::kWrongResult);
}

}  // namespace
}  // namespace assay::suites
