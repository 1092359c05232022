// The times are those of scripts, so that the verdicts do not depend on the
// machine.
#include "suites/comparison/canary.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"
#include "runtime/measure/in_process.h"
#include "runtime/measure/testing/scripted_runner.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

class CanaryTest : public ::testing::Test {
 protected:
  reports::Canary Run(const runtime::MachineScript& script) {
    runtime::ScriptedRunner runner(&real_, script, &clock_);
    CanaryMode mode = {&runner, /*threads=*/1};
    mode.clock = &clock_;
    mode.on_estimate = [this](double s) { estimates_s_.push_back(s); };
    const auto trials = RunCanary(mode, /*seed=*/1);
    EXPECT_TRUE(trials.ok()) << trials.status();
    return trials.value_or(reports::Canary());
  }

  runtime::InProcessRunner real_;
  FakeClock clock_;
  std::vector<double> estimates_s_;
};

TEST_F(CanaryTest, ReportsEveryAttemptOfBothComparisons) {
  for (const bool separate : {false, true}) {
    runtime::MachineScript script;
    script.one_artifact = separate;
    const reports::Canary trials = Run(script);
    ASSERT_EQ(trials.size(), 4u);
    EXPECT_TRUE(reports::IsSound(trials, /*threads=*/1));
    for (size_t i = 0; i < 4; ++i) {
      const reports::CanaryTrial& trial = trials[i];
      EXPECT_EQ(trial.share, i % 2 == 0 ? 0 : 0.02);
      EXPECT_EQ(trial.verdict, i % 2 == 0 ? stats::Verdict::kEquivalent
                                          : stats::Verdict::kRegressed);
      EXPECT_EQ(trial.threads, 1);
      EXPECT_EQ(trial.separate, separate);
      EXPECT_NE(trial.reason, "");
    }
  }
  EXPECT_TRUE(estimates_s_.empty());
}

// On this machine, two processes differ by 3 % or more in a third of the loads.
// A trial takes longer than usual, and says how long.
TEST_F(CanaryTest, TakesTheLoadsThatTheMachineNeeds) {
  runtime::MachineScript script;
  script.one_artifact = true;
  script.load_spread = 0.02;
  script.load_nanos = 500'000'000;
  const reports::Canary trials = Run(script);
  ASSERT_EQ(trials.size(), 4u);
  EXPECT_TRUE(reports::IsSound(trials, /*threads=*/1));
  EXPECT_EQ(trials[1].verdict, stats::Verdict::kRegressed);
  EXPECT_EQ(trials[3].verdict, stats::Verdict::kRegressed);
  EXPECT_FALSE(estimates_s_.empty());
  EXPECT_GT(clock_.NowNanos(), int64_t{4} * 5'000'000'000);
}

TEST_F(CanaryTest, SaysWhatItNeedsIfThatIsTooMuch) {
  runtime::MachineScript script;
  script.one_artifact = true;
  script.load_spread = 0.3;
  script.load_nanos = 1'000'000'000;
  const reports::Canary trials = Run(script);
  EXPECT_FALSE(reports::IsSound(trials, /*threads=*/1));
  // The first trial, with nothing to find, may be inconclusive.
  ASSERT_EQ(trials.size(), 2u);
  EXPECT_EQ(trials[1].verdict, stats::Verdict::kInconclusive);
  EXPECT_THAT(trials[1].reason, HasSubstr("; needs about "));
  EXPECT_THAT(trials[1].reason, HasSubstr(" on this machine"));
}

// A twin that is always slower than its original is a false alarm.
TEST_F(CanaryTest, EndsAfterAWrongVerdict) {
  runtime::MachineScript script;
  script.call_nanos = [](const runtime::Artifact&,
                         const runtime::KernelCall& call) {
    // Only the twin has no digests of its code.
    return 100'000.0 * (call.code_digest.empty() ? 1.1 : 1.0);
  };
  const reports::Canary trials = Run(script);
  ASSERT_EQ(trials.size(), 1u);
  EXPECT_EQ(trials[0].verdict, stats::Verdict::kRegressed);
  EXPECT_FALSE(reports::IsSound(trials, /*threads=*/1));
}

}  // namespace
}  // namespace assay::suites
