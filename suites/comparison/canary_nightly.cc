#include <iostream>

#include "gtest/gtest.h"
#include "runtime/measure/in_process.h"
#include "suites/comparison/canary.h"

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

// Measures real times, so that the verdicts are those of this machine.
TEST(CanaryNightly, IsSoundOnThisMachine) {
  runtime::InProcessRunner together;
  SeparateRunner apart;
  for (const bool separate : {false, true}) {
    runtime::InProcessRunner& runner = separate ? apart : together;
    const auto trials = RunCanary({&runner, /*threads=*/1}, /*seed=*/1);
    ASSERT_TRUE(trials.ok()) << trials.status();
    for (const reports::CanaryTrial& trial : *trials) {
      EXPECT_EQ(trial.separate, separate);
      std::cout << trial.share << ": " << trial.reason << "\n";
    }
    EXPECT_TRUE(reports::IsSound(*trials, /*threads=*/1));
  }
}

}  // namespace
}  // namespace assay::suites
