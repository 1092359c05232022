#include "reports/stats/change_points.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "reports/stats/binomial.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

// A history whose values have a standard deviation of 1 %, a lag-1
// autocorrelation, and a fraction of outliers of +20 %.
struct Nights {
  int count = 60;
  double correlation = 0;
  double outliers = 0;  // fraction
};

std::vector<double> Simulate(const Nights& nights, Rng& rng) {
  std::vector<double> values;
  double state = rng.NormalFloat(0, 1);
  for (int i = 0; i < nights.count; ++i) {
    const double innovation = rng.NormalFloat(0, 1);
    state = nights.correlation * state +
            std::sqrt(1 - nights.correlation * nights.correlation) * innovation;
    double value = 10 * (1 + 0.01 * state);
    if (rng.UniformFloat(0, 1) < nights.outliers) value *= 1.2;
    values.push_back(value);
  }
  return values;
}

// Number of `trials` histories without a change for which one is reported.
int64_t FalseAlarms(const Nights& nights, int64_t trials, double level,
                    uint64_t seed) {
  Rng rng(seed);
  int64_t alarms = 0;
  for (int64_t trial = 0; trial < trials; ++trial) {
    ChangePointOptions options;
    options.level = level;
    options.seed = rng.NextU64();
    alarms += FindChangePoints(Simulate(nights, rng), options).empty() ? 0 : 1;
  }
  return alarms;
}

TEST(ChangePointsTest, FindsNothingInShortOrConstantHistories) {
  EXPECT_TRUE(FindChangePoints({}, {}).empty());
  EXPECT_TRUE(FindChangePoints({1, 2, 3, 4, 5}, {}).empty());
  EXPECT_TRUE(FindChangePoints(std::vector<double>(50, 7.0), {}).empty());
}

TEST(ChangePointsTest, FindsStepAndItsLevels) {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back(10 + 0.01 * (i % 3));
  for (int i = 0; i < 10; ++i) values.push_back(11 + 0.01 * (i % 3));
  const std::vector<ChangePoint> changes = FindChangePoints(values, {});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].index, 20);
  EXPECT_NEAR(changes[0].before, 10.01, 1e-9);
  EXPECT_NEAR(changes[0].after, 11.01, 1e-9);
  EXPECT_LE(changes[0].p_value, 0.01);
}

// A temporary slow-down: splits into two parts alone hardly detect it.
TEST(ChangePointsTest, FindsTemporarySlowDown) {
  Rng rng(7);
  std::vector<double> values = Simulate({70, 0, 0}, rng);
  for (size_t i = 32; i < 40; ++i) values[i] *= 1.06;
  const std::vector<ChangePoint> changes = FindChangePoints(values, {});
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].index, 32);
  EXPECT_EQ(changes[1].index, 40);
  EXPECT_NEAR(changes[0].after / changes[0].before, 1.06, 0.01);
  EXPECT_NEAR(changes[1].after / changes[1].before, 1 / 1.06, 0.01);
}

TEST(ChangePointsTest, FindsAllStepsOfAStaircase) {
  Rng rng(8);
  std::vector<double> values = Simulate({80, 0, 0}, rng);
  for (size_t i = 0; i < 80; ++i) {
    values[i] *= 1 + 0.05 * static_cast<double>(i / 20);
  }
  const std::vector<ChangePoint> changes = FindChangePoints(values, {});
  ASSERT_EQ(changes.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(changes[i].index, static_cast<int64_t>(20 * (i + 1)));
  }
}

TEST(ChangePointsTest, IgnoresOutliers) {
  Rng rng(9);
  std::vector<double> values = Simulate({60, 0, 0}, rng);
  for (const size_t i : {10u, 11u, 29u, 45u, 59u}) values[i] *= 3;
  EXPECT_TRUE(FindChangePoints(values, {}).empty());
}

TEST(ChangePointsTest, IsDeterministic) {
  Rng rng(10);
  std::vector<double> values = Simulate({40, 0, 0}, rng);
  for (size_t i = 30; i < 40; ++i) values[i] *= 1.03;
  const std::vector<ChangePoint> once = FindChangePoints(values, {});
  const std::vector<ChangePoint> twice = FindChangePoints(values, {});
  ASSERT_EQ(once.size(), 1u);
  ASSERT_EQ(twice.size(), 1u);
  EXPECT_EQ(once[0].p_value, twice[0].p_value);
}

// The lower 99.9 % confidence limit of the type I error is at most the level.
TEST(ChangePointsTest, KeepsTheLevelForAnyDistribution) {
  constexpr int64_t kTrials = 600;
  for (const Nights& nights :
       {Nights{12, 0, 0}, Nights{40, 0, 0}, Nights{40, 0, 0.2}}) {
    const int64_t alarms = FalseAlarms(nights, kTrials, 0.05, 11);
    EXPECT_LE(ClopperPearson(alarms, kTrials, 0.998).lower, 0.05)
        << nights.count << " nights, " << alarms << " alarms";
  }
}

// Autocorrelation raises the type I error somewhat; without the correction it
// would be about 25 %.
TEST(ChangePointsTest, LimitsFalseAlarmsUnderAutocorrelation) {
  constexpr int64_t kTrials = 400;
  const int64_t alarms = FalseAlarms({60, 0.5, 0}, kTrials, 0.01, 12);
  EXPECT_LE(ClopperPearson(alarms, kTrials, 0.998).lower, 0.05)
      << alarms << " alarms";
}

// Number of `trials` histories of 30 nights, followed by `after` nights that
// are 2 % (two standard deviations) slower, in which a change is found within
// two nights of the true one.
int64_t Found(int after, int64_t trials, uint64_t seed) {
  Rng rng(seed);
  int64_t found = 0;
  for (int64_t trial = 0; trial < trials; ++trial) {
    std::vector<double> values = Simulate({30 + after, 0, 0}, rng);
    for (size_t i = 30; i < values.size(); ++i) values[i] *= 1.02;
    for (const ChangePoint& change : FindChangePoints(values, {})) {
      if (std::abs(change.index - 30) <= 2) {
        ++found;
        break;
      }
    }
  }
  return found;
}

TEST(ChangePointsTest, DetectsTwoSigmaShiftWithinTenNights) {
  constexpr int64_t kTrials = 300;
  const int64_t five = Found(5, kTrials, 13);
  const int64_t ten = Found(10, kTrials, 14);
  EXPECT_GE(five, kTrials * 3 / 10) << five;
  EXPECT_GE(ten, kTrials * 3 / 4) << ten;
}

}  // namespace
}  // namespace assay::stats
