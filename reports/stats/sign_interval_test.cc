#include "reports/stats/sign_interval.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "reports/stats/binomial.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

// Ranks from published tables of the sign test.
TEST(SignIntervalTest, MatchesPublishedRanks) {
  EXPECT_EQ(SignIntervalRank(5, 0.95), 0);
  EXPECT_EQ(SignIntervalRank(6, 0.95), 1);
  EXPECT_EQ(SignIntervalRank(10, 0.95), 2);
  EXPECT_EQ(SignIntervalRank(20, 0.95), 6);
  EXPECT_EQ(SignIntervalRank(100, 0.95), 40);
  EXPECT_EQ(SignIntervalRank(20, 0.99), 4);
  EXPECT_EQ(SignIntervalRank(7, 0.99), 0);
  EXPECT_EQ(SignIntervalRank(8, 0.99), 1);
}

TEST(SignIntervalTest, ReturnsOrderStatisticsAroundTheMedian) {
  const std::vector<double> samples = {9, 1, 8, 2, 7, 3, 6, 4, 10, 5};
  const MedianInterval interval = SignInterval(samples, 0.95);
  EXPECT_EQ(interval.count, 10);
  EXPECT_EQ(interval.median, 5.5);
  EXPECT_EQ(interval.lower, 2);
  EXPECT_EQ(interval.upper, 9);
  // 1 - 2 * (1 + 10) / 1024.
  EXPECT_NEAR(interval.coverage, 1 - 22.0 / 1024, 1e-12);
  EXPECT_TRUE(interval.bounded());
}

TEST(SignIntervalTest, IsUnboundedForTooFewSamples) {
  const MedianInterval interval = SignInterval({1, 2, 3, 4, 5}, 0.95);
  EXPECT_FALSE(interval.bounded());
  EXPECT_EQ(interval.median, 3);
  EXPECT_EQ(interval.upper, std::numeric_limits<double>::infinity());
  EXPECT_EQ(interval.coverage, 1);
}

TEST(SignIntervalTest, HandlesEqualSamples) {
  const std::vector<double> ties(20, 1.5);
  const MedianInterval interval = SignInterval(ties, 0.99);
  EXPECT_EQ(interval.lower, 1.5);
  EXPECT_EQ(interval.upper, 1.5);
}

// Samples with median 0, by kind: skewed, with infinite variance, and rounded
// to a few values.
double Sample(Rng& rng, int kind) {
  const double u = rng.UniformFloat(-0.9999f, 0.9999f);
  switch (kind) {
    case 0:
      return u > 0 ? std::pow(1 - u, -1.5) - 1 : u;
    case 1:
      return std::tan(1.57 * u);
    default:
      return std::round(2 * u);
  }
}

TEST(SignIntervalTest, CoverageIsAsReported) {
  constexpr uint64_t kSeed = 11;
  RecordProperty("seed", std::to_string(kSeed));
  Rng rng(kSeed);
  constexpr int64_t kTrials = 4000;
  for (int kind = 0; kind < 3; ++kind) {
    for (const int n : {12, 101}) {
      int64_t covered = 0;
      double promised = 0;
      for (int64_t trial = 0; trial < kTrials; ++trial) {
        std::vector<double> samples;
        for (int i = 0; i < n; ++i) samples.push_back(Sample(rng, kind));
        const MedianInterval interval = SignInterval(samples, 0.9);
        covered += interval.lower <= 0 && 0 <= interval.upper;
        promised = interval.coverage;
      }
      const Proportion share = ClopperPearson(covered, kTrials, 0.999);
      EXPECT_GE(share.upper, promised) << "kind " << kind << " n " << n;
      // Without ties the coverage is exact; ties increase it.
      if (kind < 2) EXPECT_LE(share.lower, promised) << kind << " n " << n;
      EXPECT_GE(promised, 0.9);
    }
  }
}

TEST(SignIntervalDeathTest, RejectsMissingAndNanSamples) {
  EXPECT_DEATH(SignInterval({}, 0.9), "no samples");
  EXPECT_DEATH(SignInterval({std::nan("")}, 0.9), "nan");
  EXPECT_DEATH(SignIntervalRank(3, 1), "level 1");
}

}  // namespace
}  // namespace assay::stats
