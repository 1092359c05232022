#include "suites/tune/trial.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/tune/task/tasks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/measure/in_process.h"

namespace assay::suites {
namespace {

using ::testing::Each;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::SizeIs;

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
    auto program = MakeKernelProgram(task_, 1 << 16, 1);
    CHECK(program.ok()) << program.status();
    program_ = *std::move(program);
  }

  TrialRunner Trials() {
    return TrialRunner(task_.key, program_, Host(), 1, &runner_);
  }

  tune::Task task_;
  KernelProgram program_;
  runtime::InProcessRunner runner_;
};

TEST_F(TrialTest, MeasuresTheTimeOfACall) {
  TrialRunner trials = Trials();
  const auto artifact = trials.Build({});
  ASSERT_TRUE(artifact.ok()) << artifact.status();
  TrialOptions options;
  options.samples = 5;
  options.min_sample_nanos = 100'000;
  const TrialResult result = trials.Run(*artifact, options);
  EXPECT_EQ(result.status, TrialStatus::kOk) << result.error;
  EXPECT_EQ(result.error, "");
  EXPECT_THAT(result.samples_ns, SizeIs(5));
  EXPECT_THAT(result.samples_ns, Each(Gt(0)));
  EXPECT_LT(result.max_error.value(), 1e-4);
}

TEST_F(TrialTest, WrongOutputsAreNotMeasured) {
  program_.expected[0].value.data<float>()[7] += 1;
  TrialRunner trials = Trials();
  const auto artifact = trials.Build({});
  ASSERT_TRUE(artifact.ok()) << artifact.status();
  const TrialResult result = trials.Run(*artifact, {});
  EXPECT_EQ(result.status, TrialStatus::kWrong);
  EXPECT_THAT(result.samples_ns, SizeIs(0));
  EXPECT_NE(result.error, "");
}

TEST_F(TrialTest, FailuresOfSessionsAreResults) {
  TrialRunner trials = Trials();
  auto artifact = trials.Build({});
  ASSERT_TRUE(artifact.ok()) << artifact.status();
  artifact->code = "no code";
  const TrialResult result = trials.Run(*artifact, {});
  EXPECT_EQ(result.status, TrialStatus::kRunError);
  EXPECT_NE(result.error, "");
}

TEST_F(TrialTest, ChoicesThatDoNotFitAreErrors) {
  const absl::Status status = Trials().Build({"matmul.nosuch", {}}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("matmul.nosuch"));
}

}  // namespace
}  // namespace assay::suites
