#include "suites/tune/log_tool/log_statistics.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/tune/log_tool/testing/sample_records.h"

namespace assay::suites {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TuningRecord Failed(TrialStatus status) {
  TuningRecord record = Trial(9, {});
  record.status = status;
  return record;
}

// A trial next to which the default point took `default_ns`.
TuningRecord Next(int64_t mr, const std::vector<double>& samples_ns,
                  double default_ns) {
  TuningRecord record = Trial(mr, samples_ns);
  record.default_ns = {default_ns};
  return record;
}

TEST(LogStatisticsTest, TrialsAreCountedByResult) {
  std::vector<TuningRecord> records = {
      DefaultTrial({100}),
      Failed(TrialStatus::kTimeout),
      Next(2, {104}, 200),  // 96 % of the best
      Next(1, {50, 61, 60}, 100),
      Next(2, {55}, 100),  // again
      Failed(TrialStatus::kWrong),
      Comparison(1, stats::Verdict::kImproved, 0.5, 0.6)};
  records.push_back(records[0]);
  const LogStatistics statistics = MakeLogStatistics(records);
  EXPECT_EQ(statistics.records, 8);
  EXPECT_EQ(statistics.duplicates, 1);
  ASSERT_THAT(statistics.runs, SizeIs(1));
  const TuningRun& run = statistics.runs[0];
  EXPECT_EQ(run.record.task, records[0].task);
  EXPECT_EQ(run.record.tuner, "random");
  EXPECT_EQ(run.record.seed, 7);
  EXPECT_THAT(run.trials, ElementsAre(4, 0, 0, 0, 0, 1, 1, 0));
  EXPECT_EQ(run.points, 4);
  EXPECT_EQ(run.comparisons, 1);
  EXPECT_EQ(run.best_relative, 0.5);
  EXPECT_EQ(run.best_ns, 60);
  EXPECT_EQ(run.trials_to_95, 3);
}

// The record of a finalist is not a trial. Its time is that of several loads.
TEST(LogStatisticsTest, FinalsAreNotTrials) {
  TuningRecord finalist = Next(1, {40, 45}, 100);
  finalist.default_ns = {100, 100};
  finalist.loads = 2;
  const LogStatistics statistics = MakeLogStatistics(
      {DefaultTrial({100}), Next(2, {90}, 100), Next(1, {50}, 100), finalist});
  ASSERT_THAT(statistics.runs, SizeIs(1));
  const TuningRun& run = statistics.runs[0];
  EXPECT_EQ(run.trials[0], 3);
  EXPECT_EQ(run.points, 3);
  EXPECT_EQ(run.finals, 1);
  EXPECT_EQ(run.comparisons, 0);
  EXPECT_EQ(run.best_relative, 0.5);
  EXPECT_EQ(run.best_ns, 50);
  EXPECT_EQ(run.trials_to_95, 3);
  EXPECT_THAT(StatisticsTable(statistics),
              HasSubstr("3 trials, 1 finals and 0 comparisons of 1 tasks"));
}

TEST(LogStatisticsTest, RunsDifferInTaskTunerSeedAndPlace) {
  std::vector<TuningRecord> records(6, Trial(1, {100}));
  records[1].seed = 8;
  records[2].tuner = "xgb";
  records[3].device = "rpi3b";
  records[4] = ElementwiseTrial({100});
  records[5].template_digest = "0123456789abcdef";
  const LogStatistics statistics = MakeLogStatistics(records);
  EXPECT_THAT(statistics.runs, SizeIs(6));
  const std::string table = StatisticsTable(statistics);
  EXPECT_THAT(table, HasSubstr("device rpi3b, 2 threads, llvm "));
  EXPECT_THAT(table, ContainsRegex("exp 64x64 +[0-9a-f]{6} +random "));
  EXPECT_THAT(table,
              HasSubstr("6 records (0 duplicates): 6 trials, 0 finals and 0 "
                        "comparisons of 2 tasks on 2 devices by 2 "
                        "tuners\ntrials by status: 6 ok, 0 build_error"));
}

TEST(LogStatisticsTest, RunsWithoutTimesHaveNoBest) {
  const LogStatistics statistics =
      MakeLogStatistics({Failed(TrialStatus::kBuildError)});
  ASSERT_THAT(statistics.runs, SizeIs(1));
  EXPECT_EQ(statistics.runs[0].best_ns, 0);
  EXPECT_EQ(statistics.runs[0].trials_to_95, 0);
  EXPECT_THAT(StatisticsTable(statistics), AllOf(ContainsRegex(" - +- +- +-\n"),
                                                 HasSubstr("1 build_error")));
  EXPECT_THAT(StatisticsTable(MakeLogStatistics({})),
              HasSubstr("0 records (0 duplicates)"));
}

}  // namespace
}  // namespace assay::suites
