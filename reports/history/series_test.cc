#include "reports/history/series.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"

namespace assay::reports {
namespace {

// The series of the first cell of SampleResult(), in which the kernels and the
// time of loading are known.
std::vector<Series> SeriesOfFirstCell(const std::vector<RunResult>& history) {
  std::vector<Series> result;
  for (Series& series : BuildSeries(history)) {
    const CellKey& cell = series.row->cell;
    if (cell == SampleResult().rows[0].cell) result.push_back(series);
  }
  return result;
}

const Series& SeriesOf(const std::vector<Series>& all, Metric metric,
                       const std::string& kernel = "") {
  for (const Series& series : all) {
    if (series.metric == metric && series.kernel == kernel) return series;
  }
  ADD_FAILURE() << "no such series: " << kernel;
  return all.front();
}

TEST(SeriesTest, EmptyHistoryHasNone) { EXPECT_TRUE(BuildSeries({}).empty()); }

TEST(SeriesTest, ACellHasItsLatencyKernelsTimeOfLoadingAndMemory) {
  const std::vector<RunResult> history(3, SampleResult());
  const std::vector<Series> all = SeriesOfFirstCell(history);
  ASSERT_EQ(all.size(), 5u);
  const Series& latency = SeriesOf(all, Metric::kLatency);
  ASSERT_EQ(latency.points.size(), 3u);
  EXPECT_EQ(latency.points[2].run, 2u);
  EXPECT_NEAR(latency.points[2].value, std::log(10.0), 1e-12);
  EXPECT_TRUE(latency.steps.empty());
  EXPECT_EQ(latency.row, &history[2].rows[0]);
  EXPECT_NEAR(SeriesOf(all, Metric::kKernel, "fc").points[0].value,
              std::log(3.5), 1e-12);
  EXPECT_EQ(SeriesOf(all, Metric::kKernel, "conv+bn+relu").points.size(), 3u);
  EXPECT_NEAR(SeriesOf(all, Metric::kLoad).points[0].value, std::log(61.25),
              1e-12);
  EXPECT_NEAR(SeriesOf(all, Metric::kMemory).points[0].value, std::log(123.4e6),
              1e-12);
}

TEST(SeriesTest, OnlyProgramsThatAreKnownHaveADigest) {
  std::vector<RunResult> history(2, SampleResult());
  std::vector<Series> all = SeriesOfFirstCell(history);
  EXPECT_TRUE(SeriesOf(all, Metric::kLatency).has_digest);
  EXPECT_TRUE(SeriesOf(all, Metric::kKernel, "fc").has_digest);
  EXPECT_FALSE(SeriesOf(all, Metric::kLoad).has_digest);
  EXPECT_FALSE(SeriesOf(all, Metric::kMemory).has_digest);
  history[0].rows[0].build.artifact_digest.clear();
  all = SeriesOfFirstCell(history);
  EXPECT_FALSE(SeriesOf(all, Metric::kLatency).has_digest);
}

TEST(SeriesTest, EmulatedAndUntimedRowsHaveNoNights) {
  const std::vector<RunResult> history = {SampleResult()};
  for (const Series& series : BuildSeries(history)) {
    EXPECT_FALSE(series.row->emulated);
    EXPECT_FALSE(series.row->timing.samples_ns.empty());
  }
}

TEST(SeriesTest, StepsOfAKernelFollowItsOwnCode) {
  std::vector<RunResult> history(3, SampleResult());
  history[1].rows[0].build.artifact_digest = "new";
  history[1].rows[0].build.code[1].digest = "changed";
  history[2].rows[0].build = history[1].rows[0].build;
  const std::vector<Series> all = SeriesOfFirstCell(history);
  const auto causes = [&](const Series& series) {
    EXPECT_EQ(series.steps.size(), 1u);
    EXPECT_EQ(StepAt(series, 0), nullptr);
    EXPECT_EQ(StepAt(series, 2), nullptr);
    const Step* step = StepAt(series, 1);
    return step == nullptr ? "" : CausesText(step->change.causes);
  };
  EXPECT_EQ(causes(SeriesOf(all, Metric::kLatency)), "code");
  EXPECT_EQ(causes(SeriesOf(all, Metric::kKernel, "fc")), "code");
  EXPECT_EQ(causes(SeriesOf(all, Metric::kKernel, "conv+bn+relu")), "layout");
}

TEST(SeriesTest, EqualCallsAreNumbered) {
  RunResult run = SampleResult();
  run.rows[0].timing.operators[1].sources = {"conv", "bn", "relu"};
  const std::vector<RunResult> history = {run};
  const std::vector<Series> all = SeriesOfFirstCell(history);
  EXPECT_EQ(SeriesOf(all, Metric::kKernel, "conv+bn+relu #2").points.size(),
            1u);
}

TEST(SeriesTest, StepsHaveTheComparisonOfTheNight) {
  std::vector<RunResult> history(2, SampleResult());
  Row& row = history[1].rows[0];
  row.build.artifact_digest = "new";
  row.verdict = stats::Verdict::kRegressed;
  row.comparison.paired.emplace();
  row.comparison.paired->change = 0.02;
  row.comparison.paired->artifact_digest =
      history[0].rows[0].build.artifact_digest;
  const auto compared = [&] {
    const std::vector<Series> all = SeriesOfFirstCell(history);
    return SeriesOf(all, Metric::kLatency).steps.at(0).side_by_side.value();
  };
  EXPECT_TRUE(compared().with_night_before);
  EXPECT_EQ(compared().verdict, stats::Verdict::kRegressed);
  EXPECT_EQ(compared().change, 0.02);
  row.comparison.paired->artifact_digest = "of last month";
  EXPECT_FALSE(compared().with_night_before);
}

TEST(SeriesTest, TheReferenceIsFollowedByItsOwnTime) {
  RunResult run = SampleResult();
  run.rows[0].comparison.speedup_vs_reference = stats::Ratio{1.5, 1.4, 1.6};
  const std::vector<RunResult> history = {run};
  const std::vector<Series> all = SeriesOfFirstCell(history);
  EXPECT_NEAR(SeriesOf(all, Metric::kReference).points[0].value, std::log(15.0),
              1e-12);
}

TEST(SeriesTest, AcceptsRandomResults) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<RunResult> history = {RandomResult(seed),
                                            RandomResult(seed)};
    for (const Series& series : BuildSeries(history)) {
      EXPECT_FALSE(series.points.empty());
    }
  }
}

}  // namespace
}  // namespace assay::reports
