#include "reports/stats/sign_process.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "reports/stats/binomial.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

// The integral of the header by adding up 200,000 slices.
double SlowEValue(int64_t above, int64_t count, double a) {
  constexpr int kSlices = 200'000;
  double sum = 0;
  double whole = 0;
  for (int i = 0; i < kSlices; ++i) {
    const double p = 0.5 + 0.5 * (i + 0.5) / kSlices;
    const double density = std::pow(p * (1 - p), a - 1);
    whole += density;
    sum += density * std::pow(2 * p, static_cast<double>(above)) *
           std::pow(2 * (1 - p), static_cast<double>(count - above));
  }
  return sum / whole;
}

TEST(SignEValueTest, IsTheMixtureOfTheHeader) {
  for (const double a : {1.0, 6.0, 20.0}) {
    for (const int64_t count : {1, 5, 30}) {
      for (int64_t above = 0; above <= count; above += 5) {
        const double slow = SlowEValue(above, count, a);
        EXPECT_NEAR(std::exp(LogSignEValue(above, count, a)), slow, 1e-6 * slow)
            << "a " << a << " above " << above << " of " << count;
      }
    }
  }
}

// What makes it a bet: by a fair coin nothing is won on average. All 2^n
// outcomes, added up.
TEST(SignEValueTest, AFairCoinWinsNothing) {
  for (const double a : {0.5, 6.0}) {
    for (const int64_t n : {1, 2, 10, 60}) {
      double expectation = 0;
      for (int64_t s = 0; s <= n; ++s) {
        const int64_t t = std::min(s, n - s);  // as likely, and exact if rare
        expectation += std::exp(LogSignEValue(s, n, a)) *
                       (BinomialCdf(t, n, 0.5) - BinomialCdf(t - 1, n, 0.5));
      }
      EXPECT_NEAR(expectation, 1, 1e-9) << "a " << a << " n " << n;
    }
  }
}

TEST(SignEValueTest, CriticalCountIsTheFirstThatRejects) {
  const double log_e = std::log(200.0);
  for (const int64_t count : {1, 10, 100, 1000, 100'000}) {
    const int64_t critical = CriticalSignCount(count, log_e, kConcentration);
    if (critical <= count) {
      EXPECT_GE(LogSignEValue(critical, count, kConcentration), log_e);
    }
    EXPECT_LT(LogSignEValue(critical - 1, count, kConcentration), log_e);
  }
  EXPECT_EQ(CriticalSignCount(1, log_e, kConcentration), 2);
}

TEST(SignProcessTest, CountsAgainstItsMedian) {
  SignProcess process(1.0);
  for (const double x : {2.0, 3.0, 0.5, 1.0, 2.0}) process.Add(x);
  EXPECT_EQ(process.count(), 5);
  EXPECT_EQ(process.log_e_above(), LogSignEValue(3, 5, kConcentration));
  // The tie is neither above nor below.
  EXPECT_EQ(process.log_e_below(), LogSignEValue(1, 5, kConcentration));
  EXPECT_NEAR(
      std::exp(process.log_e_two_sided()),
      (std::exp(process.log_e_above()) + std::exp(process.log_e_below())) / 2,
      1e-12);
  EXPECT_GE(process.max_log_e_above(), LogSignEValue(2, 2, kConcentration));
}

TEST(SignProcessTest, TiesAreNoEvidence) {
  SignProcess process(0);
  for (int i = 0; i < 1000; ++i) process.Add(0);
  EXPECT_LT(process.log_e_above(), 0);
  EXPECT_LT(process.log_e_below(), 0);
}

// Looked at after every one of 3000 samples of a skewed distribution whose
// median is m: the share of runs that ever reach 1 / alpha. The limits of that
// share are taken so wide that a right body fails once in a thousand seeds.
TEST(SignProcessTest, WatchingItRaisesFewerFalseAlarmsThanAlpha) {
  constexpr uint64_t kSeed = 5;
  RecordProperty("seed", std::to_string(kSeed));
  Rng rng(kSeed);
  constexpr int64_t kTrials = 1000;
  constexpr double kAlpha = 0.05;
  int64_t one_sided = 0;
  int64_t two_sided = 0;
  int64_t naive = 0;
  for (int64_t trial = 0; trial < kTrials; ++trial) {
    int64_t above = 0;
    double most = 0;
    double most_two_sided = 0;
    bool alarmed = false;
    for (int64_t n = 1; n <= 3000; ++n) {
      above += rng.UniformFloat(-1, 1) > 0;
      if (n % 10 != 0) continue;
      const double a = LogSignEValue(above, n, kConcentration);
      const double b = LogSignEValue(n - above, n, kConcentration);
      most = std::max(most, a);
      most_two_sided =
          std::max(most_two_sided, std::log((std::exp(a) + std::exp(b)) / 2));
      // The test for one look, repeated: 1.64 standard deviations.
      alarmed |= static_cast<double>(2 * above - n) >
                 1.645 * std::sqrt(static_cast<double>(n));
    }
    one_sided += most >= std::log(1 / kAlpha);
    two_sided += most_two_sided >= std::log(1 / kAlpha);
    naive += alarmed;
  }
  EXPECT_LE(ClopperPearson(one_sided, kTrials, 0.998).lower, kAlpha);
  EXPECT_LE(ClopperPearson(two_sided, kTrials, 0.998).lower, kAlpha);
  // It is not silent either: Ville's inequality is nearly an equality.
  EXPECT_GE(one_sided, kTrials * 2 / 100);
  EXPECT_GE(two_sided, kTrials * 2 / 100);
  // Which the repeated test is not, else this test could not tell.
  EXPECT_GE(naive, kTrials * 25 / 100);
}

// The expectation of e at a moment chosen to make it large.
TEST(SignProcessTest, StoppingWhenItIsLargeGainsNothing) {
  constexpr uint64_t kSeed = 6;
  RecordProperty("seed", std::to_string(kSeed));
  Rng rng(kSeed);
  constexpr int kTrials = 4000;
  double sum = 0;
  double squares = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    SignProcess process(0);
    while (process.count() < 100 && process.log_e_above() < std::log(3.0)) {
      process.Add(rng.UniformFloat(-1, 1));
    }
    const double e = std::exp(process.log_e_above());
    sum += e;
    squares += e * e;
  }
  const double mean = sum / kTrials;
  const double error = std::sqrt((squares / kTrials - mean * mean) / kTrials);
  EXPECT_NEAR(mean, 1, 4 * error);
}

TEST(SignProcessTest, FindsAShift) {
  constexpr uint64_t kSeed = 7;
  RecordProperty("seed", std::to_string(kSeed));
  Rng rng(kSeed);
  SignProcess process(0);
  // 70 % of the samples are above 0.
  while (process.log_e_above() < std::log(1000.0) && process.count() < 1000) {
    process.Add(rng.UniformFloat(-0.3f, 0.7f));
  }
  EXPECT_LT(process.count(), 300);
  EXPECT_LT(process.log_e_below(), 0);
}

}  // namespace
}  // namespace assay::stats
