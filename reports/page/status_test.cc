#include "reports/page/status.h"

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "reports/stats/verdict.h"

namespace assay::reports {
namespace {

TEST(StatusTest, JudgedStatusesAgreeWithIsJudgement) {
  for (const Status& status : Statuses()) {
    const absl::StatusOr<stats::Verdict> verdict =
        stats::ParseVerdict(status.name);
    EXPECT_EQ(status.judged(), verdict.ok() && stats::IsJudgement(*verdict))
        << status.name;
    EXPECT_EQ(&StatusOf(status.name), &status);
  }
}

TEST(StatusTest, BadgesHaveTheSymbolAndTheWords) {
  EXPECT_EQ(BadgeHtml(StatusOf("wrong_output")),
            "<span class=\"badge s-wrong_output\"><span class=\"sign\" "
            "aria-hidden=\"true\">✕</span> wrong output</span>");
}

}  // namespace
}  // namespace assay::reports
