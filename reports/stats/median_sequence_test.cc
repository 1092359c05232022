#include "reports/stats/median_sequence.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "reports/stats/binomial.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

// The interval is exactly the set of medians that the sign process does not
// reject.
TEST(MedianSequenceTest, InvertsTheSignProcess) {
  constexpr uint64_t kSeed = 3;
  RecordProperty("seed", std::to_string(kSeed));
  Rng rng(kSeed);
  constexpr double kLevel = 0.95;
  const double log_e = std::log(2 / (1 - kLevel));
  MedianSequence sequence(kLevel);
  std::vector<double> samples;
  for (int n = 1; n <= 200; ++n) {
    // Rounding creates many ties.
    samples.push_back(std::round(8 * rng.NormalFloat(0, 1)));
    sequence.Add(samples.back());
    if (n % 20 != 0) continue;
    const MedianInterval interval = sequence.Interval();
    EXPECT_EQ(interval.count, n);
    for (double m = -30.25; m < 31; m += 0.25) {
      int64_t above = 0;
      int64_t below = 0;
      for (const double x : samples) {
        above += x > m;
        below += x < m;
      }
      EXPECT_EQ(sequence.CountAbove(m), above);
      EXPECT_EQ(sequence.CountBelow(m), below);
      const bool rejected = LogSignEValue(above, n, kConcentration) >= log_e ||
                            LogSignEValue(below, n, kConcentration) >= log_e;
      EXPECT_EQ(rejected, m < interval.lower || m > interval.upper)
          << "m " << m << " after " << n;
    }
  }
}

TEST(MedianSequenceTest, IsUnboundedForTooFewSamples) {
  MedianSequence sequence(0.99);
  sequence.Add(1);
  EXPECT_EQ(sequence.rank(), 0);
  EXPECT_FALSE(sequence.Interval().bounded());
  EXPECT_EQ(sequence.Interval().median, 1);
}

// The critical count is the smallest number of samples above m with which the
// process rejects m.
TEST(MedianSequenceTest, RankFollowsTheCriticalCount) {
  MedianSequence sequence(0.99);
  const double log_e = std::log(200.0);
  for (int64_t n = 1; n <= 3000; ++n) {
    sequence.Add(static_cast<double>(n % 7));
    const int64_t critical = n + 1 - sequence.rank();
    if (critical <= n) {
      ASSERT_GE(LogSignEValue(critical, n, kConcentration), log_e) << n;
    }
    ASSERT_LT(LogSignEValue(critical - 1, n, kConcentration), log_e) << n;
  }
}

// The fraction of runs in which all intervals cover the median is at least the
// level; for the fixed-sample interval used in the same way, it is not.
TEST(MedianSequenceTest, CoversTheMedianAtAllTimesSimultaneously) {
  constexpr uint64_t kSeed = 4;
  RecordProperty("seed", std::to_string(kSeed));
  Rng rng(kSeed);
  constexpr int64_t kTrials = 500;
  constexpr double kLevel = 0.9;
  int64_t covered = 0;
  int64_t covered_by_one_look = 0;
  for (int64_t trial = 0; trial < kTrials; ++trial) {
    MedianSequence sequence(kLevel);
    bool always = true;
    bool one_look = true;
    for (int n = 1; n <= 600; ++n) {
      const double u = rng.UniformFloat(-1, 1);
      sequence.Add(u > 0 ? u * u * 50 : u);
      const MedianInterval now = sequence.Interval();
      always &= now.lower <= 0 && 0 <= now.upper;
      if (n % 10 != 0) continue;
      const int64_t k = SignIntervalRank(n, kLevel);
      one_look &= sequence.CountBelow(0) >= k && sequence.CountAbove(0) >= k;
    }
    covered += always;
    covered_by_one_look += one_look;
  }
  EXPECT_GE(ClopperPearson(covered, kTrials, 0.998).upper, kLevel);
  EXPECT_LT(covered, kTrials);
  EXPECT_LE(covered_by_one_look, kTrials * 80 / 100);
}

TEST(MedianSequenceTest, WidthShrinksWithSquareRootOfSampleCount) {
  constexpr uint64_t kSeed = 8;
  RecordProperty("seed", std::to_string(kSeed));
  Rng rng(kSeed);
  MedianSequence sequence(0.99);
  double width_of_400 = 0;
  std::vector<double> samples;
  for (int n = 1; n <= 6400; ++n) {
    samples.push_back(rng.NormalFloat(2, 1));
    sequence.Add(samples.back());
    const MedianInterval now = sequence.Interval();
    if (n == 400) width_of_400 = now.upper - now.lower;
  }
  const MedianInterval last = sequence.Interval();
  const double ratio = width_of_400 / (last.upper - last.lower);
  EXPECT_GT(ratio, 3);
  EXPECT_LT(ratio, 5);
  // The price of anytime validity.
  const MedianInterval fixed = SignInterval(samples, 0.99);
  EXPECT_GT(last.upper - last.lower, fixed.upper - fixed.lower);
  EXPECT_LT(last.upper - last.lower, 1.8 * (fixed.upper - fixed.lower));
}

}  // namespace
}  // namespace assay::stats
