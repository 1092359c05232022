#include "suites/comparison/canary.h"

#include "gtest/gtest.h"
#include "runtime/measure/in_process.h"

namespace assay::suites {
namespace {

// Loads one artifact at a time, as a runner for another process.
class SeparateRunner : public runtime::InProcessRunner {
 public:
  absl::StatusOr<std::unique_ptr<runtime::Session>> Load(
      absl::Span<const runtime::Artifact* const> artifacts,
      const runtime::LoadOptions& options) override {
    if (artifacts.size() > 1) return absl::UnimplementedError("");
    return InProcessRunner::Load(artifacts, options);
  }
};

// Uses the real clock, so other tests may disturb the verdicts. Checks that all
// attempts are reported, and that nothing is wrong by much.
TEST(CanaryTest, ReportsEveryAttemptOfBothComparisons) {
  runtime::InProcessRunner together;
  SeparateRunner apart;
  for (const bool separate : {false, true}) {
    runtime::InProcessRunner& runner = separate ? apart : together;
    const auto trials = RunCanary({&runner, /*threads=*/1}, /*seed=*/1);
    ASSERT_TRUE(trials.ok()) << trials.status();
    ASSERT_EQ(trials->size(), 4u);
    for (size_t i = 0; i < 4; ++i) {
      const reports::CanaryTrial& trial = (*trials)[i];
      EXPECT_EQ(trial.share, i % 2 == 0 ? 0 : 0.02);
      EXPECT_EQ(trial.threads, 1);
      EXPECT_EQ(trial.separate, separate);
      EXPECT_NE(trial.reason, "");
      EXPECT_NE(trial.verdict, stats::Verdict::kImproved) << trial.reason;
    }
  }
}

}  // namespace
}  // namespace assay::suites
