#include "suites/tune/page/page_model.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/stats/verdict.h"
#include "suites/kernels/peak/arithmetic.h"
#include "suites/tune/log/network_record.h"
#include "suites/tune/log/tuning_record.h"
#include "suites/tune/page/testing/sample_log.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr Arithmetic kFloat32 = Arithmetic::kFloat32;

// A model, and the inputs to which it refers.
class Built {
 public:
  explicit Built(TuningPageInputs inputs)
      : inputs_(std::move(inputs)), model_(BuildTuningPageModel(inputs_)) {}
  const TuningPageModel* operator->() const { return &model_; }
  // The first task.
  const PageTask& task() const { return model_.places.at(0).tasks.at(0); }

 private:
  const TuningPageInputs inputs_;
  const TuningPageModel model_;
};

TEST(PageModelTest, EmptyLogHasNoPlaces) {
  const Built model({});
  EXPECT_THAT(model->places, IsEmpty());
  EXPECT_EQ(model->trials, 0);
  EXPECT_GT(model->first_time, model->last_time);
}

TEST(PageModelTest, TaskHasItsTrialsAndImprovements) {
  const std::vector<TuningRecord> log = {
      SampleTrial(100, 1),
      SampleTrial(120, 2),
      SampleFailure(TrialStatus::kWrong, "wrong"),
      SampleTrial(80, 3),
      SampleFailure(TrialStatus::kTimeout, "late"),
      SampleFailure(TrialStatus::kWrong, "wrong"),
      SampleTrial(80, 4),
      SampleTrial(50, 5)};
  const Built model({log});
  ASSERT_THAT(model->places, SizeIs(1));
  EXPECT_EQ(model->places[0].place.device, log[0].device);
  EXPECT_EQ(model->places[0].place.target, log[0].target);
  EXPECT_EQ(model->places[0].place.threads, 2);
  ASSERT_THAT(model->places[0].tasks, SizeIs(1));
  const PageTask& task = model.task();
  EXPECT_EQ(task.name, "matmul 5x10 10x10");
  EXPECT_THAT(task.trials, SizeIs(8));
  EXPECT_THAT(task.improvements, ElementsAre(0, 3, 7));
  EXPECT_EQ(task.default_nanos, 100);
  EXPECT_EQ(task.best_nanos(), 50);
  EXPECT_EQ(task.Rate(50), 20);
  EXPECT_STREQ(task.RateUnit(), "GFLOP/s");
  EXPECT_THAT(task.errors, ElementsAre(Pair(TrialStatus::kTimeout, 1),
                                       Pair(TrialStatus::kWrong, 2)));
  EXPECT_EQ(model->trials, 8);
  EXPECT_EQ(model->errors, task.errors);
  EXPECT_FALSE(task.judged.has_value());
  EXPECT_FALSE(model->places[0].network.has_value());
}

TEST(PageModelTest, TimeOfATrialIsTheMedianOfItsSamples) {
  TuningRecord record = SampleTrial(1);
  record.samples_ns = {30, 10, 20};
  const std::vector<TuningRecord> log = {record};
  EXPECT_EQ(Built({log}).task().default_nanos, 20);
}

TEST(PageModelTest, FailedDefaultHasNoTime) {
  const std::vector<TuningRecord> log = {
      SampleFailure(TrialStatus::kRunError, "crash"), SampleTrial(50, 1)};
  const Built model({log});
  const PageTask& task = model.task();
  EXPECT_FALSE(task.default_nanos.has_value());
  EXPECT_EQ(task.best_nanos(), 50);
}

TEST(PageModelTest, TasksWithoutOperationsHaveCallsPerMillisecond) {
  TuningRecord record = SampleTrial(500);
  record.flops = 0;
  const std::vector<TuningRecord> log = {record};
  const Built model({log});
  EXPECT_EQ(model->places[0].tasks[0].Rate(500), 2000);
  EXPECT_STREQ(model->places[0].tasks[0].RateUnit(), "calls/ms");
}

TEST(PageModelTest, ImprovedPointIsAccepted) {
  const std::vector<TuningRecord> log = {
      SampleTrial(100, 1), SampleTrial(60, 2), SampleTrial(50, 3),
      SampleVerdict(stats::Verdict::kInconclusive, 0.9, 3),
      SampleVerdict(stats::Verdict::kImproved, 0.6, 2)};
  const Built model({log});
  const PageTask& task = model.task();
  EXPECT_THAT(task.trials, SizeIs(3));
  ASSERT_TRUE(task.judged.has_value());
  EXPECT_EQ(task.judged->verdict.ratio, 0.6);
  EXPECT_TRUE(task.accepted);
  EXPECT_EQ(task.accepted_trial, 1u);
}

TEST(PageModelTest, DroppedPointIsNotAccepted) {
  const TuningRecord record = SampleVerdict(stats::Verdict::kImproved, 0.6, 2);
  TuningPageInputs inputs;
  inputs.records = {SampleTrial(100, 1), SampleTrial(60, 2), record};
  NetworkRecord network;
  network.target = record.target;
  network.device = record.device;
  network.threads = record.threads;
  network.dropped = {{record.task, record.template_digest,
                      record.implementation, record.config}};
  inputs.networks = {network};
  EXPECT_FALSE(Built(inputs).task().accepted);
}

TEST(PageModelTest, OtherVerdictsAcceptNothing) {
  for (const stats::Verdict verdict :
       {stats::Verdict::kEquivalent, stats::Verdict::kInconclusive,
        stats::Verdict::kRegressed}) {
    const std::vector<TuningRecord> log = {SampleTrial(100, 1),
                                           SampleVerdict(verdict, 0.9, 1)};
    const Built model({log});
    EXPECT_FALSE(model.task().accepted);
    EXPECT_FALSE(model.task().accepted_trial.has_value());
    ASSERT_TRUE(model.task().judged.has_value());
    EXPECT_EQ(model.task().judged->verdict.verdict, verdict);
  }
}

TEST(PageModelTest, PeakIsThatOfTheBestPoint) {
  std::vector<TuningRecord> log = {SampleTrial(2000, 1), SampleTrial(1000, 2)};
  const std::map<int, PeakRates> peaks = {
      {2, {{kFloat32, 4}, {Arithmetic::kSplitFloat32, 20}}}};
  const auto part = [&] {
    const Built model({log, {}, {{log[0].device, peaks}}, "", ""});
    return model->places[0].PartOfPeak(model.task());
  };
  EXPECT_EQ(part(), 0.25);
  log[1].implementation = "matmul.bf16x3";
  EXPECT_EQ(part(), 0.05);
  // A time that the machine cannot reach is noise.
  log[1].implementation = log[0].implementation;
  log[1].samples_ns = {1};
  EXPECT_EQ(part(), 1);
  // The peak of products of bytes is not known.
  for (TuningRecord& record : log) {
    record.anchor = "matmul(uint8[5,10], int8[10,10]) -> int32[5,10]";
  }
  EXPECT_EQ(part(), std::nullopt);
}

TEST(PageModelTest, PlacesAreSeparate) {
  std::vector<TuningRecord> log(4, SampleTrial(100));
  log[1].device = "aarch64-cortex-a53-4c-00000000";
  log[2].threads = 1;
  log[3].target = "llvm -mcpu=x86-64-v3";
  const Built model(
      {log,
       {},
       {{log[0].device, {{1, {{kFloat32, 50.0}}}, {2, {{kFloat32, 98.5}}}}}},
       "",
       ""});
  ASSERT_THAT(model->places, SizeIs(4));
  EXPECT_EQ(model->places[0].peaks.at(kFloat32), 98.5);
  EXPECT_EQ(model->places[1].place.device, log[1].device);
  EXPECT_TRUE(model->places[1].peaks.empty());
  EXPECT_EQ(model->places[2].place.threads, 1);
  EXPECT_EQ(model->places[2].peaks.at(kFloat32), 50);
  EXPECT_EQ(model->places[3].place.target, log[3].target);
}

TEST(PageModelTest, RunsOfTunersAreConsecutive) {
  std::vector<TuningRecord> log;
  for (int i = 0; i < 5; ++i) log.push_back(SampleTrial(100, i));
  log[1].tuner = log[3].tuner = "random";
  log[4].seed = 8;
  log[3].samples_ns = {50};
  log[2].samples_ns = {70};
  const Built model({log});
  const PageTask& task = model.task();
  ASSERT_THAT(task.runs, SizeIs(3));
  EXPECT_EQ(task.runs[0].tuner, "xgb");
  EXPECT_EQ(task.runs[1].tuner, "random");
  EXPECT_EQ(task.runs[1].first_trial, 2u);
  EXPECT_EQ(task.runs[2].seed, 8);
  EXPECT_EQ(task.runs[2].first_trial, 4u);
  // xgb: 100, 70; random: 100, 50.
  EXPECT_THAT(task.improvements, ElementsAre(0, 1, 3));
}

TEST(PageModelTest, RecordsOfChangedTemplatesAreLeftOut) {
  std::vector<TuningRecord> log = {
      SampleTrial(10, 1), SampleVerdict(stats::Verdict::kImproved, 0.1, 1),
      SampleTrial(100, 1), SampleTrial(90, 2)};
  log[0].template_digest = log[1].template_digest = "old";
  const Built model({log});
  EXPECT_EQ(model.task().outdated, 2);
  EXPECT_EQ(model->outdated, 2);
  EXPECT_EQ(model.task().default_nanos, 100);
  EXPECT_EQ(model.task().best_nanos(), 90);
  EXPECT_FALSE(model.task().judged.has_value());
}

TEST(PageModelTest, TimesAreRelativeToTheDefaultNextToThem) {
  // The machine becomes slower by half.
  std::vector<TuningRecord> log = {SampleTrial(100, 1), SampleTrial(80, 2),
                                   SampleTrial(105, 3)};
  log[1].default_ns = {100, 102};
  log[2].default_ns = {150, 150};
  const Built model({log});
  EXPECT_EQ(model.task().default_nanos, 102);
  EXPECT_EQ(model.task().trials[0].nanos, 102);
  EXPECT_DOUBLE_EQ(*model.task().trials[1].nanos, 0.8 * 102);
  EXPECT_DOUBLE_EQ(*model.task().trials[2].nanos, 0.7 * 102);
  EXPECT_THAT(model.task().improvements, ElementsAre(0, 1, 2));
}

TEST(PageModelTest, EstimatesTheNetwork) {
  // Three tasks: a takes 2 x 100 ns and is accepted with 0.6; b takes 300 ns
  // and was not compared; c is not part of the network.
  std::vector<TuningRecord> log = {
      SampleTrial(100, 1), SampleVerdict(stats::Verdict::kImproved, 0.6, 1),
      SampleTrial(300, 1), SampleTrial(9000, 1)};
  log[0].task = log[1].task = "a";
  log[2].task = "b";
  log[3].task = "c";
  const Built model({log, {{"a", 2}, {"b", 1}, {"c", 0}, {"missing", 3}}});
  const PagePlace& place = model->places[0];
  ASSERT_TRUE(place.network.has_value());
  EXPECT_DOUBLE_EQ(place.network->default_nanos, 500);
  EXPECT_DOUBLE_EQ(place.network->tuned_nanos, 420);
  EXPECT_EQ(place.network->unknown_tasks, 1);
  EXPECT_EQ(place.tasks[0].calls, 2);
  EXPECT_DOUBLE_EQ(*place.tasks[0].share, 0.4);
  EXPECT_DOUBLE_EQ(*place.tasks[0].saved, 0.16);
  EXPECT_DOUBLE_EQ(*place.tasks[1].share, 0.6);
  EXPECT_DOUBLE_EQ(*place.tasks[1].saved, 0);
  EXPECT_FALSE(place.tasks[2].share.has_value());
}

TEST(PageModelTest, EqualNamesGetTheKey) {
  std::vector<TuningRecord> log(3, SampleTrial(100));
  log[1].task = "fedcba9876543210";
  log[2].task = "c";
  log[2].anchor = "dense(float32[1,2]) -> float32[1,2]";
  log[2].workload = "";
  const Built model({log});
  const std::vector<PageTask>& tasks = model->places[0].tasks;
  EXPECT_EQ(tasks[0].name, "matmul 5x10 10x10 #012345");
  EXPECT_EQ(tasks[1].name, "matmul 5x10 10x10 #fedcba");
  EXPECT_EQ(tasks[2].name, "dense 1x2");
}

TEST(PageModelTest, TimeSpanIgnoresInvalidTimes) {
  std::vector<TuningRecord> log(4, SampleTrial(100));
  log[0].time = "2026-11-24T12:30:00Z";
  log[1].time = "2026-11-24T12:00:00Z";
  log[2].time = "2026-11-24T13:00:00+01:00";
  log[3].time = "yesterday";
  const Built model({log});
  const absl::Time noon = absl::FromCivil(
      absl::CivilSecond(2026, 11, 24, 12, 0, 0), absl::UTCTimeZone());
  EXPECT_EQ(model->first_time, noon);
  EXPECT_EQ(model->last_time, noon + absl::Minutes(30));
}

TEST(PageModelTest, RatesOfAbsurdTimesAreFinite) {
  for (const double nanos : {1e-300, 1e300}) {
    const std::vector<TuningRecord> log = {SampleTrial(nanos)};
    const Built model({log});
    const PageTask& task = model.task();
    EXPECT_LT(task.Rate(*task.best_nanos()), 1e20);
    EXPECT_GT(task.Rate(*task.best_nanos()), 1e-20);
  }
}

}  // namespace
}  // namespace assay::suites
