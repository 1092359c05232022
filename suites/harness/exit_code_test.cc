#include "suites/harness/exit_code.h"

#include <vector>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using stats::Verdict;

ExitCode Of(const std::vector<Verdict>& verdicts, bool require_baseline = false,
            bool blessing = false) {
  reports::RunResult result;
  for (const Verdict verdict : verdicts) {
    result.rows.emplace_back();
    result.rows.back().verdict = verdict;
  }
  return ExitCodeOf(result, require_baseline, blessing);
}

TEST(ExitCodeTest, OneRow) {
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

TEST(ExitCodeTest, MeasuringNothingIsNeverSuccess) {
  EXPECT_EQ(Of({}), ExitCode::kInfrastructure);
  EXPECT_EQ(Of({}, true, true), ExitCode::kInfrastructure);
}

TEST(ExitCodeTest, ARequiredBaselineMustBeThere) {
  EXPECT_EQ(Of({Verdict::kNoBaseline}, true), ExitCode::kInconclusive);
  EXPECT_EQ(Of({Verdict::kEmulated}, true), ExitCode::kInconclusive);
  EXPECT_EQ(Of({Verdict::kPass}, true), ExitCode::kPass);
}

TEST(ExitCodeTest, TheGravestRowDecides) {
  const Verdict kByGravity[] = {Verdict::kPass, Verdict::kInconclusive,
                                Verdict::kRegressed, Verdict::kInfrastructure,
                                Verdict::kWrongOutput};
  for (const Verdict a : kByGravity) {
    for (const Verdict b : kByGravity) {
      EXPECT_EQ(Of({a, b}), Of({b, a}));
    }
  }
  for (size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(Of({kByGravity[i - 1], kByGravity[i]}), Of({kByGravity[i]}));
  }
}

TEST(ExitCodeTest, BlessingAcceptsWhatIsNewButNotWhatIsBroken) {
  EXPECT_EQ(Of({Verdict::kRegressed, Verdict::kEnvironmentChanged,
                Verdict::kNoBaseline},
               true, true),
            ExitCode::kPass);
  EXPECT_EQ(Of({Verdict::kInconclusive}, false, true), ExitCode::kInconclusive);
  EXPECT_EQ(Of({Verdict::kWrongOutput}, false, true), ExitCode::kWrongResult);
}

TEST(ExitCodeTest, ErrorsOfTheUserAndOfTheMachine) {
  EXPECT_EQ(ExitCodeOf(absl::InvalidArgumentError("")), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOf(absl::NotFoundError("")), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOf(absl::UnimplementedError("")), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOf(absl::ResourceExhaustedError("")), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOf(absl::InternalError("")), ExitCode::kInfrastructure);
  EXPECT_EQ(ExitCodeOf(absl::UnavailableError("")), ExitCode::kInfrastructure);
  EXPECT_EQ(ExitCodeOf(absl::DeadlineExceededError("")),
            ExitCode::kInfrastructure);
}

TEST(ExitCodeTest, TheWorseOfTwo) {
  EXPECT_EQ(WorseOf(ExitCode::kPass, ExitCode::kRegression),
            ExitCode::kRegression);
  EXPECT_EQ(WorseOf(ExitCode::kUsage, ExitCode::kWrongResult),
            ExitCode::kUsage);
}

}  // namespace
}  // namespace assay::suites
