#include "suites/tune/search/trial.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/types/span.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/complete_text.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/tune/task/tasks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/measure/in_process.h"
#include "suites/tune/build/serve_builds.h"

namespace assay::suites {
namespace {

using ::testing::Each;
using ::testing::Gt;
using ::testing::IsEmpty;

target::Target Host() {
  return driver::ResolveTarget("llvm -mcpu=native")->WithCores(1);
}

class TrialTest : public ::testing::Test {
 protected:
  TrialTest() {
    const auto model = graph::GraphFromText(
        R"(graph net(%x: float32[24,40]) -> (y=%3) {
  %1: float32[40,56] = constant {fill=0.25}
  %2: float32[24,56] = matmul(%x, %1) "MatMul_0"
  %3: float32[24,56] = relu(%2) "Relu_0"
})");
    auto tasks =
        tune::ExtractTasks(*model, Host(), {}, tune::LayoutChoices::kDefault);
    CHECK(tasks.ok()) << tasks.status();
    for (tune::Task& task : *tasks) {
      if (absl::StrContains(task.workload, "relu")) task_ = std::move(task);
    }
    auto program = MakeKernelProgram(task_, 1 << 16, 1, 1);
    CHECK(program.ok()) << program.status();
    program_ = *std::move(program);
  }

  // The artifact of the default point.
  runtime::Artifact Build() {
    auto built = PointCompiler().Compile(
        {task_.key, Host(), {}, graph::ToCompleteText(*program_.graph)});
    CHECK(built.ok()) << built.status();
    return *std::move(built);
  }
  TrialRunner Trials() { return TrialRunner(program_, 1, &runner_, {}); }

  tune::Task task_;
  KernelProgram program_;
  runtime::InProcessRunner runner_;
};

TEST_F(TrialTest, PointsAreMeasuredNextToTheDefaultPoint) {
  TrialRunner trials = Trials();
  const TuningRecord usual = trials.RunDefault(Build(), {});
  ASSERT_EQ(usual.status, TrialStatus::kOk) << usual.error;
  EXPECT_THAT(usual.default_ns, IsEmpty());
  EXPECT_THAT(usual.samples_ns, Each(Gt(0)));
  for (int i = 0; i < 3; ++i) {
    const TuningRecord result = trials.Run(Build(), {});
    EXPECT_EQ(result.status, TrialStatus::kOk) << result.error;
    EXPECT_EQ(result.error, "");
    EXPECT_GE(result.samples_ns.size(), 2u);
    EXPECT_EQ(result.samples_ns.size(), result.default_ns.size());
    EXPECT_THAT(result.samples_ns, Each(Gt(0)));
    EXPECT_LT(result.max_error.value(), 1e-4);
    EXPECT_THAT(result.default_ns, Each(Gt(0)));
  }
}

TEST_F(TrialTest, WrongOutputsAreNotMeasured) {
  program_.expected[0].value.data<float>()[7] += 1;
  TrialRunner trials = Trials();
  const TuningRecord result = trials.RunDefault(Build(), {});
  EXPECT_EQ(result.status, TrialStatus::kWrong);
  EXPECT_THAT(result.samples_ns, IsEmpty());
  EXPECT_NE(result.error, "");
}

// Loses the device in the next `lost` calls of Load().
class LosingRunner : public runtime::Runner {
 public:
  absl::StatusOr<std::unique_ptr<runtime::Session>> Load(
      absl::Span<const runtime::Artifact* const> artifacts,
      const runtime::LoadOptions& options) override {
    if (lost > 0) {
      --lost;
      return absl::AbortedError("the lease was lost");
    }
    return runner_.Load(artifacts, options);
  }
  runtime::DeviceFacts facts() const override { return runner_.facts(); }
  int lost = 0;

 private:
  runtime::InProcessRunner runner_;
};

// A device whose loss becomes known at the next trial costs no second trial.
TEST_F(TrialTest, ALostDeviceIsReportedOnce) {
  LosingRunner runner;
  TrialRunner trials(program_, 1, &runner, {});
  for (const int lost : {1, 2}) {
    ASSERT_EQ(trials.RunDefault(Build(), {}).status, TrialStatus::kOk);
    runtime::Artifact broken = Build();
    broken.code = "no code";
    for (runtime::KernelCall& call : broken.calls) call.code_digest = "other";
    ASSERT_EQ(trials.Run(broken, {}).status, TrialStatus::kRunError);
    runner.lost = lost;
    EXPECT_EQ(trials.Run(Build(), {}).status,
              lost == 1 ? TrialStatus::kOk : TrialStatus::kDeviceLost);
    EXPECT_EQ(runner.lost, 0);
  }
}

TEST_F(TrialTest, FailuresAreResultsAndCostNoOtherTrial) {
  TrialRunner trials = Trials();
  ASSERT_EQ(trials.RunDefault(Build(), {}).status, TrialStatus::kOk);
  runtime::Artifact broken = Build();
  broken.code = "no code";
  for (runtime::KernelCall& call : broken.calls) call.code_digest = "other";
  const TuningRecord result = trials.Run(broken, {});
  EXPECT_EQ(result.status, TrialStatus::kRunError);
  EXPECT_NE(result.error, "");
  EXPECT_EQ(trials.Run(Build(), {}).status, TrialStatus::kOk);
}

}  // namespace
}  // namespace assay::suites
