#include "reports/stats/ratio.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "reports/stats/binomial.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

TEST(RatioTest, IsTheMedianOfTheRatiosOfTheRounds) {
  // The ratios are 1.5, 2, 1.25, 1.25, 2, 1.5, 4 and 0.5. In each of the last
  // two rounds, one of the programs was disturbed.
  const Ratio ratio = SpeedRatio({100, 100, 200, 400, 100, 200, 100, 400},
                                 {150, 200, 250, 500, 200, 300, 400, 200});
  EXPECT_DOUBLE_EQ(ratio.value, 1.5);
  // The smallest and the largest of eight.
  EXPECT_DOUBLE_EQ(ratio.lower, 0.5);
  EXPECT_DOUBLE_EQ(ratio.upper, 4);
  EXPECT_FALSE(Distinguishable(ratio));
}

TEST(RatioTest, ExchangingTheProgramsGivesTheReciprocals) {
  const std::vector<double> a = {10, 11, 12, 10, 13, 10, 11, 12};
  const std::vector<double> b = {12, 14, 13, 12, 15, 13, 12, 14};
  const Ratio ratio = SpeedRatio(a, b);
  const Ratio inverse = SpeedRatio(b, a);
  EXPECT_NEAR(ratio.value * inverse.value, 1, 1e-12);
  EXPECT_NEAR(ratio.lower * inverse.upper, 1, 1e-12);
  EXPECT_NEAR(ratio.upper * inverse.lower, 1, 1e-12);
  EXPECT_TRUE(Distinguishable(ratio));
  EXPECT_TRUE(Distinguishable(inverse));
}

TEST(RatioTest, IsUnboundedForTooFewRounds) {
  const Ratio ratio = SpeedRatio({1, 1, 1, 1, 1}, {2, 2, 2, 2, 2});
  EXPECT_DOUBLE_EQ(ratio.value, 2);
  EXPECT_EQ(ratio.lower, 0);
  EXPECT_EQ(ratio.upper, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(Distinguishable(ratio));
}

TEST(RatioTest, EqualTimesAreNotDistinguishable) {
  const std::vector<double> times(20, 7e6);
  const Ratio ratio = SpeedRatio(times, times);
  EXPECT_TRUE(ratio == (Ratio{1, 1, 1}));
  EXPECT_FALSE(Distinguishable(ratio));
}

// The speed of the machine changes from round to round, and each sample has
// noise of its own.
TEST(RatioTest, IntervalCoversTheTrueRatio) {
  constexpr uint64_t kSeed = 12;
  RecordProperty("seed", std::to_string(kSeed));
  Rng rng(kSeed);
  constexpr int64_t kTrials = 2000;
  int64_t covered = 0;
  for (int64_t trial = 0; trial < kTrials; ++trial) {
    std::vector<double> ours, other;
    for (int round = 0; round < 30; ++round) {
      const double machine = 1 + rng.UniformFloat(0, 1);
      ours.push_back(machine * std::exp(std::abs(rng.NormalFloat(0, 0.1f))));
      other.push_back(1.1 * machine *
                      std::exp(std::abs(rng.NormalFloat(0, 0.1f))));
    }
    const Ratio ratio = SpeedRatio(ours, other);
    covered += ratio.lower <= 1.1 && 1.1 <= ratio.upper;
  }
  EXPECT_GE(ClopperPearson(covered, kTrials, 0.999).upper, kRatioLevel);
}

TEST(GeometricMeanRatioTest, IsTheMeanOverTheProblems) {
  const std::vector<double> two(8, std::log(2.0));
  const std::vector<double> eight(8, std::log(8.0));
  const Ratio mean = GeometricMeanRatio({two, eight});
  EXPECT_DOUBLE_EQ(mean.value, 4);
  EXPECT_DOUBLE_EQ(mean.lower, 4);
  EXPECT_DOUBLE_EQ(mean.upper, 4);
}

TEST(GeometricMeanRatioTest, UsesTheSmallestNumberOfRounds) {
  std::vector<double> longer(20, 0.0);
  longer[9] = 100;
  EXPECT_TRUE(GeometricMeanRatio({longer, std::vector<double>(7, 0.0)}) ==
              (Ratio{1, 1, 1}));
  EXPECT_EQ(GeometricMeanRatio({longer, std::vector<double>(5, 0.0)}).lower, 0);
}

TEST(RatioDeathTest, RejectsMissingRounds) {
  EXPECT_DEATH(SpeedRatio({1, 2}, {1}), "2 against 1");
  EXPECT_DEATH(SpeedRatio({}, {}), "no samples");
  EXPECT_DEATH(GeometricMeanRatio({}), "no problems");
}

}  // namespace
}  // namespace assay::stats
