#include "runtime/base/exit_code.h"

#include "gtest/gtest.h"

namespace assay {
namespace {

TEST(ExitCodeTest, DistinguishesErrorsOfUserAndMachine) {
  EXPECT_EQ(ExitCodeOf(absl::OkStatus()), ExitCode::kPass);
  EXPECT_EQ(ExitCodeOf(absl::InvalidArgumentError("")), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOf(absl::NotFoundError("")), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOf(absl::UnimplementedError("")), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOf(absl::ResourceExhaustedError("")), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOf(absl::InternalError("")), ExitCode::kInfrastructure);
  EXPECT_EQ(ExitCodeOf(absl::UnavailableError("")), ExitCode::kInfrastructure);
  EXPECT_EQ(ExitCodeOf(absl::DeadlineExceededError("")),
            ExitCode::kInfrastructure);
}

TEST(ExitCodeTest, OrdersBySeverity) {
  const ExitCode by_severity[] = {
      ExitCode::kPass,           ExitCode::kInconclusive, ExitCode::kRegression,
      ExitCode::kInfrastructure, ExitCode::kWrongResult,  ExitCode::kUsage};
  for (size_t i = 0; i < 6; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      EXPECT_EQ(MoreSevere(by_severity[i], by_severity[j]), by_severity[i]);
      EXPECT_EQ(MoreSevere(by_severity[j], by_severity[i]), by_severity[i]);
    }
  }
}

TEST(ExitCodeTest, ReportsErrorInOneLine) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(ReportExitCode(absl::InvalidArgumentError("no such model")), 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "error: no such model\n");
  EXPECT_EQ(ReportExitCode(ExitCode::kRegression), 1);
}

}  // namespace
}  // namespace assay
