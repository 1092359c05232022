#include "reports/stats/persistent_shift.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

// `count` values of an AR(1) process about 0 with standard deviation 0.02.
std::vector<double> Nights(int count, double correlation, Rng& rng) {
  std::vector<double> values;
  double state = rng.NormalFloat(0, 1);
  for (int i = 0; i < count; ++i) {
    values.push_back(0.02 * state);
    state = correlation * state +
            std::sqrt(1 - correlation * correlation) * rng.NormalFloat(0, 1);
  }
  return values;
}

TEST(PersistentShiftTest, ShortAndConstantSeriesHaveNone) {
  EXPECT_TRUE(FindPersistentShifts({}).empty());
  EXPECT_TRUE(FindPersistentShifts({1, 2, 3}).empty());
  EXPECT_TRUE(FindPersistentShifts(std::vector<double>(200, 7.0)).empty());
}

TEST(PersistentShiftTest, FindsStepWithItsNightAndLevels) {
  Rng rng(1);
  std::vector<double> values = Nights(120, 0, rng);
  for (size_t i = 90; i < values.size(); ++i) values[i] += 0.2;
  const std::vector<Shift> shifts = FindPersistentShifts(values);
  ASSERT_EQ(shifts.size(), 1u);
  EXPECT_EQ(shifts[0].index, 90);
  EXPECT_GE(shifts[0].found, 97);   // most of the last 14 nights
  EXPECT_LE(shifts[0].found, 104);  // all of them
  EXPECT_NEAR(shifts[0].before, 0, 0.01);
  EXPECT_NEAR(shifts[0].after, 0.2, 0.015);
  EXPECT_GE(shifts[0].errors, 10);
}

TEST(PersistentShiftTest, FindsStepsDownAndUpAgain) {
  Rng rng(2);
  std::vector<double> values = Nights(240, 0.3, rng);
  for (size_t i = 80; i < 160; ++i) values[i] -= 0.3;
  const std::vector<Shift> shifts = FindPersistentShifts(values);
  ASSERT_EQ(shifts.size(), 2u);
  EXPECT_EQ(shifts[0].index, 80);
  EXPECT_LT(shifts[0].errors, 0);
  EXPECT_EQ(shifts[1].index, 160);
  EXPECT_GT(shifts[1].errors, 0);
}

TEST(PersistentShiftTest, IgnoresWhatLastsForAWeek) {
  Rng rng(3);
  std::vector<double> values = Nights(120, 0, rng);
  for (size_t i = 90; i < 97; ++i) values[i] += 0.2;
  EXPECT_TRUE(FindPersistentShifts(values).empty());
}

TEST(PersistentShiftTest, IgnoresSingleNights) {
  Rng rng(4);
  std::vector<double> values = Nights(200, 0.3, rng);
  for (size_t i = 0; i < values.size(); i += 9) values[i] += 0.5;
  EXPECT_TRUE(FindPersistentShifts(values).empty());
}

// A series that jumps between two levels, for a few nights each.
TEST(PersistentShiftTest, TwoLevelsThatAlternateAreNoise) {
  Rng rng(5);
  std::vector<double> values = Nights(400, 0, rng);
  bool high = false;
  for (double& value : values) {
    if (rng.UniformInt(0, 3) == 0) high = !high;
    if (high) value += 0.3;
  }
  EXPECT_TRUE(FindPersistentShifts(values).empty());
}

TEST(PersistentShiftTest, LaterNightsDoNotChangeEarlierShifts) {
  Rng rng(6);
  std::vector<double> values = Nights(200, 0.5, rng);
  for (size_t i = 100; i < values.size(); ++i) values[i] += 0.4;
  const std::vector<Shift> all = FindPersistentShifts(values);
  ASSERT_EQ(all.size(), 1u);
  values.resize(static_cast<size_t>(all[0].found));
  EXPECT_TRUE(FindPersistentShifts(values).empty());
  values.push_back(0.4);
  EXPECT_LE(FindPersistentShifts(values).size(), 1u);
}

TEST(PersistentShiftTest, SearchContinuesWhereItEnded) {
  Rng rng(8);
  for (int series = 0; series < 20; ++series) {
    std::vector<double> values = Nights(300, 0.3, rng);
    for (size_t i = 90; i < values.size(); ++i) {
      values[i] += i < 190 ? 0.3 : -0.2;
      // Equal values.
      if (i % 3 == 0) values[i] = std::round(values[i] * 100) / 100;
    }
    const std::vector<Shift> all = FindPersistentShifts(values);
    ASSERT_EQ(all.size(), 2u);
    for (int64_t known = 0; known < 300; known += 7) {
      ShiftOptions options;
      options.first_tested = known;
      std::vector<Shift> expected = all;
      while (!expected.empty() && expected[0].found < known) {
        options.level_start = expected[0].index;
        expected.erase(expected.begin());
      }
      const std::vector<Shift> found = FindPersistentShifts(values, options);
      ASSERT_EQ(found.size(), expected.size()) << known;
      for (size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].index, expected[i].index);
        EXPECT_EQ(found[i].found, expected[i].found);
        EXPECT_EQ(found[i].before, expected[i].before);
        EXPECT_EQ(found[i].after, expected[i].after);
        EXPECT_EQ(found[i].errors, expected[i].errors);
      }
    }
  }
}

// Fewer than 1e-4 alerts a month; 4000 months would have about none. The rate
// is measured by //reports/history/testing:simulate.
TEST(PersistentShiftTest, AutocorrelatedNightsGiveNoAlerts) {
  Rng rng(7);
  for (const double correlation : {0.0, 0.4, 0.8}) {
    int64_t alerts = 0;
    for (int series = 0; series < 100; ++series) {
      const auto values = Nights(74 + 40 * 30, correlation, rng);
      alerts += static_cast<int64_t>(FindPersistentShifts(values).size());
    }
    EXPECT_LE(alerts, 4) << correlation;
  }
}

}  // namespace
}  // namespace assay::stats
