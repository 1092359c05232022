#include "suites/tune/search/tune_task.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/measure/in_process.h"

namespace assay::suites {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int kPoints = 6;

class TuneTaskTest : public testing::Test {
 protected:
  TuneTaskTest()
      // Bytecode takes less time to compile than machine code.
      : device_({*driver::ResolveTarget("bytecode"), /*threads=*/1}),
        builders_({{"suites/tune/build/point_builder"}, /*processes=*/2}) {
    const auto model = graph::GraphFromText(
        R"(graph net(%x: float32[4,8]) -> (y=%3) {
  %1: float32[8,16] = constant {fill=0.25}
  %2: float32[4,16] = matmul(%x, %1) "MatMul_0"
  %3: float32[4,16] = relu(%2) "Relu_0"
})");
    auto tasks = tune::ExtractTasks(*model, device_.target, {},
                                    tune::LayoutChoices::kDefault);
    CHECK(tasks.ok()) << tasks.status();
    for (tune::Task& task : *tasks) {
      if (absl::StrContains(task.workload, "relu")) task_ = std::move(task);
    }
    auto space =
        tune::SpaceOfKernel(*task_.kernel, device_.target, /*exact=*/false);
    CHECK(space.ok()) << space.status();
    space_.emplace(*std::move(space));
    device_.trials = device_.judge = &runner_;
    options_.tuner = "grid";
    options_.limits.trials = kPoints;
    options_.trial.trial_nanos = 100'000;
    options_.trial.min_sample_nanos = 10'000;
    options_.acceptance.budget_s = 0.1;
  }

  // Adds trials to the log as if a run had been interrupted after them. Each
  // point seems to be faster than the one before and than the default point.
  void AddTrials() {
    const auto header = HeaderOf(task_, device_, options_);
    CHECK(header.ok()) << header.status();
    for (int64_t point = 0; point < kPoints; ++point) {
      TuningRecord record = *header;
      const auto choice = space_->At(point);
      record.implementation = choice.implementation;
      record.config = choice.config;
      record.code_digest = absl::StrCat("code ", point);
      record.samples_ns = {90.0 - static_cast<double>(point)};
      record.default_ns = {100};
      log_.push_back(std::move(record));
    }
  }

  // Returns the records of a run that continues the log, and adds them to it.
  std::vector<TuningRecord> Run() {
    std::vector<TuningRecord> added;
    TuningLog log;
    log.earlier = &log_;
    log.append = [&](const TuningRecord& record) {
      added.push_back(record);
      return absl::OkStatus();
    };
    const absl::Status status =
        TuneTask(task_, *space_, device_, options_, &builders_, log);
    EXPECT_TRUE(status.ok()) << status;
    log_.insert(log_.end(), added.begin(), added.end());
    return added;
  }

  static std::vector<TuningRecord> FinalistsOf(
      const std::vector<TuningRecord>& records) {
    std::vector<TuningRecord> finalists;
    for (const TuningRecord& record : records) {
      if (record.loads > 0) finalists.push_back(record);
    }
    return finalists;
  }

  runtime::InProcessRunner runner_;
  TuningDevice device_;
  BuildPool builders_;
  tune::Task task_;
  std::optional<tune::SearchSpace> space_;
  TuningOptions options_;
  std::vector<TuningRecord> log_;
};

TEST_F(TuneTaskTest, TheBestTrialsAreMeasuredInSeveralLoads) {
  AddTrials();
  const std::vector<TuningRecord> finalists = FinalistsOf(Run());
  ASSERT_THAT(finalists, SizeIs(kMinFinalists));
  for (const TuningRecord& record : finalists) {
    EXPECT_EQ(record.status, TrialStatus::kOk) << record.error;
    EXPECT_GE(record.loads, 2);
    EXPECT_THAT(record.samples_ns, SizeIs(record.loads));
    EXPECT_THAT(record.default_ns, SizeIs(record.loads));
    EXPECT_TRUE(absl::StartsWith(record.code_digest, "code "));
    EXPECT_NE(record.time, "");
  }
  // The best one was measured in most loads.
  EXPECT_GT(finalists.front().loads, finalists.back().loads);
}

TEST_F(TuneTaskTest, AContinuedRunRepeatsNothing) {
  AddTrials();
  ASSERT_THAT(FinalistsOf(Run()), SizeIs(kMinFinalists));
  EXPECT_THAT(Run(), IsEmpty());
}

// As with an emulator, whose times mean nothing.
TEST_F(TuneTaskTest, WithoutAJudgeNothingIsCompared) {
  AddTrials();
  device_.judge = nullptr;
  for (const TuningRecord& record : Run()) {
    EXPECT_EQ(record.loads, 0);
    EXPECT_FALSE(record.verdict.has_value());
  }
}

}  // namespace
}  // namespace assay::suites
