#include "reports/stats/quantile_interval.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "reports/stats/binomial.h"
#include "reports/stats/sign_interval.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

double Uniform(Rng& rng) {
  return (static_cast<double>(rng.NextU64() >> 11) + 0.5) * 0x1p-53;
}

TEST(QuantileIntervalTest, RanksAreTheTightestThatKeepTheLevel) {
  for (const int64_t n : {1, 20, 60, 368, 1000}) {
    for (const double p : {0.5, 0.9, 0.99}) {
      const QuantileRanks ranks = RanksOfQuantile(n, p, 0.95);
      EXPECT_LE(BinomialCdf(ranks.lower - 1, n, p), 0.025);
      EXPECT_GT(BinomialCdf(ranks.lower, n, p), 0.025);
      EXPECT_LE(1 - BinomialCdf(ranks.upper - 1, n, p), 0.025 + 1e-12);
      EXPECT_GT(1 - BinomialCdf(ranks.upper - 2, n, p), 0.025);
    }
  }
}

TEST(QuantileIntervalTest, ThatOfTheMedianIsTheSignInterval) {
  for (const int64_t n : {5, 6, 7, 60, 61}) {
    const int64_t rank = SignIntervalRank(n, 0.95);
    const QuantileRanks ranks = RanksOfQuantile(n, 0.5, 0.95);
    EXPECT_EQ(ranks.lower, rank) << n;
    EXPECT_EQ(ranks.upper, n + 1 - rank) << n;
  }
}

TEST(QuantileIntervalTest, TooFewSamplesHaveNoUpperBound) {
  EXPECT_EQ(SamplesForUpperBound(0.9, 0.95), 36);
  EXPECT_EQ(SamplesForUpperBound(0.99, 0.95), 368);
  for (const double p : {0.9, 0.99}) {
    const int64_t needed = SamplesForUpperBound(p, 0.95);
    std::vector<double> samples;
    for (int64_t i = 1; i < needed; ++i) {
      samples.push_back(static_cast<double>(i));
    }
    EXPECT_FALSE(IntervalOfQuantile(samples, p).bounded());
    EXPECT_GT(IntervalOfQuantile(samples, p).lower, 1);
    samples.push_back(1e9);
    EXPECT_EQ(IntervalOfQuantile(samples, p).upper, 1e9);
  }
  const QuantileInterval one = IntervalOfQuantile({7.0}, 0.99);
  EXPECT_EQ(one.value, 7);
  EXPECT_FALSE(one.bounded());
  EXPECT_TRUE(std::isinf(IntervalOfQuantile({7.0}, 0.9).lower));
}

TEST(QuantileIntervalTest, InfiniteSamplesCount) {
  std::vector<double> samples(1000, 1);
  for (int i = 0; i < 100; ++i) samples[i] = INFINITY;
  const QuantileInterval interval = IntervalOfQuantile(samples, 0.99);
  EXPECT_TRUE(std::isinf(interval.value));
  EXPECT_TRUE(std::isinf(interval.lower));
}

// The shares of 2000 intervals that miss the quantile on either side.
struct Misses {
  double below = 0, above = 0;
};

TEST(QuantileIntervalTest, CoversTheQuantile) {
  constexpr int kTrials = 2000;
  constexpr double kP = 0.99, kQuantile = 0.99;
  Misses misses;
  Rng rng(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> samples(600);
    for (double& x : samples) x = Uniform(rng);
    const QuantileInterval interval = IntervalOfQuantile(samples, kP);
    misses.below += interval.upper < kQuantile ? 1 : 0;
    misses.above += interval.lower > kQuantile ? 1 : 0;
  }
  for (const double count : {misses.below, misses.above}) {
    const auto n = static_cast<int64_t>(count);
    EXPECT_LE(ClopperPearson(n, kTrials, 0.999).lower, 0.025);
    EXPECT_GT(n, 0);
  }
}

// Each value is repeated, so that a series of 4000 has 400 independent values.
TEST(QuantileIntervalTest, SeriesAccountForCorrelation) {
  constexpr int kTrials = 400;
  constexpr int kRepeated = 10;
  int independent = 0, series = 0, tails = 0;
  double effective = 0;
  Rng rng(2);
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> samples;
    for (int i = 0; i < 400; ++i) {
      samples.insert(samples.end(), kRepeated, Uniform(rng));
    }
    const auto covers = [](const QuantileInterval& interval) {
      return interval.lower <= 0.9 && 0.9 <= interval.upper;
    };
    const QuantileInterval interval = SeriesQuantile(samples, 0.9);
    effective += interval.effective_count / kTrials;
    independent += covers(IntervalOfQuantile(samples, 0.9)) ? 1 : 0;
    series += covers(interval) ? 1 : 0;
    tails += interval.bounded() ? 1 : 0;
  }
  EXPECT_LT(independent, 0.6 * kTrials);
  // The number of independent samples is an estimate itself.
  EXPECT_GT(series, 0.9 * kTrials);
  EXPECT_EQ(tails, kTrials);
  EXPECT_NEAR(effective, 400, 60);
}

TEST(QuantileIntervalTest, IndependentSeriesLoseLittle) {
  Rng rng(3);
  std::vector<double> samples(4000);
  for (double& x : samples) x = Uniform(rng);
  const QuantileInterval interval = SeriesQuantile(samples, 0.9);
  EXPECT_EQ(interval.count, 4000);
  EXPECT_GT(interval.effective_count, 2000);
  EXPECT_LE(interval.effective_count, 4000);
  EXPECT_NEAR(interval.value, 0.9, 0.02);
  EXPECT_LT(interval.upper - interval.lower, 0.04);
}

}  // namespace
}  // namespace assay::stats
