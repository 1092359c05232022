#include "reports/stats/summary.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace assay::stats {
namespace {

TEST(SummaryTest, SummarizesUnsortedSamples) {
  const Summary s = Summarize({5, 1, 4, 2, 3});
  EXPECT_EQ(s.count, 5);
  EXPECT_DOUBLE_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.std, std::sqrt(10.0 / 4));
  EXPECT_DOUBLE_EQ(s.min, 1);
  EXPECT_DOUBLE_EQ(s.median, 3);
  EXPECT_DOUBLE_EQ(s.max, 5);
  EXPECT_DOUBLE_EQ(s.p99, 4 + 0.96);
  EXPECT_DOUBLE_EQ(s.robust_sigma, 1.4826);
}

TEST(SummaryTest, SingleSampleHasZeroDeviation) {
  const Summary s = Summarize({7.5});
  EXPECT_EQ(s.count, 1);
  EXPECT_EQ(s.mean, 7.5);
  EXPECT_EQ(s.std, 0);
  EXPECT_EQ(s.median, 7.5);
  EXPECT_EQ(s.p99, 7.5);
  EXPECT_EQ(s.robust_sigma, 0);
}

TEST(SummaryTest, RobustStatisticsIgnoreOutliers) {
  std::vector<double> samples = {10, 10.1, 9.9, 10.2, 9.8, 10.1, 9.9};
  const Summary calm = Summarize(samples);
  samples.push_back(1000);
  const Summary noisy = Summarize(samples);
  EXPECT_GT(noisy.mean, 100);
  EXPECT_GT(noisy.std, 100);
  EXPECT_NEAR(noisy.median, calm.median, 0.1);
  EXPECT_LT(noisy.robust_sigma, 0.4);
}

TEST(SummaryTest, PercentilesInterpolateBetweenOrderStatistics) {
  const std::vector<double> samples = {40, 10, 30, 20};
  EXPECT_DOUBLE_EQ(Percentile(samples, 0), 10);
  EXPECT_DOUBLE_EQ(Percentile(samples, 25), 17.5);
  EXPECT_DOUBLE_EQ(Percentile(samples, 50), 25);
  EXPECT_DOUBLE_EQ(Percentile(samples, 100), 40);
}

// The formula sum(x^2) - n mean^2 would suffer from cancellation here.
TEST(SummaryTest, MedianIsTheMeanOfTheMiddleTwo) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Median({3}), 3);
  EXPECT_EQ(Median({5, 1, 2}), 2);
  EXPECT_EQ(Median({5, 1, 2, 4}), 3);
  EXPECT_EQ(Median({kInfinity, 1, 2, kInfinity, kInfinity}), kInfinity);
  EXPECT_EQ(Median({kInfinity, 1, 2, kInfinity}), kInfinity);
}

TEST(SummaryTest, StdIsAccurateForLargeOffsets) {
  const Summary s = Summarize({1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16});
  EXPECT_DOUBLE_EQ(s.std, std::sqrt(30.0));
}

TEST(SummaryDeathTest, RejectsMissingAndNanSamples) {
  EXPECT_DEATH(Summarize({}), "a summary of no samples");
  EXPECT_DEATH(Summarize({1.0, std::nan("")}), "sample nan");
  EXPECT_DEATH(Percentile({}, 50), "no samples");
  EXPECT_DEATH(Median({}), "no samples");
}

}  // namespace
}  // namespace assay::stats
