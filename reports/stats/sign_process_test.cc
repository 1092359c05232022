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

// The integral in sign_process.h by the midpoint rule.
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

TEST(SignEValueTest, EqualsNumericalMixtureIntegral) {
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

// The expectation over all 2^n outcomes of a fair coin.
TEST(SignEValueTest, HasExpectationOneUnderTheNullHypothesis) {
  for (const double a : {0.5, 6.0}) {
    for (const int64_t n : {1, 2, 10, 60}) {
      double expectation = 0;
      for (int64_t s = 0; s <= n; ++s) {
        const int64_t t = std::min(s, n - s);  // avoids cancellation near 1
        expectation += std::exp(LogSignEValue(s, n, a)) *
                       (BinomialCdf(t, n, 0.5) - BinomialCdf(t - 1, n, 0.5));
      }
      EXPECT_NEAR(expectation, 1, 1e-9) << "a " << a << " n " << n;
    }
  }
}

TEST(SignEValueTest, TiesAreNoEvidence) {
  EXPECT_LT(LogSignEValue(0, 1000, kConcentration), 0);
}

// The fraction of runs of 3000 samples in which e ever reaches 1 / alpha under
// the null hypothesis. The confidence limits are wide enough that a correct
// implementation fails for one in a thousand seeds.
TEST(SignEValueTest, ControlsTypeOneErrorUnderContinuousMonitoring) {
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
      most_two_sided = std::max({most_two_sided, a, b});
      // A fixed-sample test, repeated.
      alarmed |= static_cast<double>(2 * above - n) >
                 1.645 * std::sqrt(static_cast<double>(n));
    }
    one_sided += most >= std::log(1 / kAlpha);
    two_sided += most_two_sided >= std::log(2 / kAlpha);
    naive += alarmed;
  }
  EXPECT_LE(ClopperPearson(one_sided, kTrials, 0.998).lower, kAlpha);
  EXPECT_LE(ClopperPearson(two_sided, kTrials, 0.998).lower, kAlpha);
  // The test is not overly conservative: Ville's inequality is nearly tight.
  EXPECT_GE(one_sided, kTrials * 2 / 100);
  EXPECT_GE(two_sided, kTrials * 2 / 100);
  // The repeated fixed-sample test does exceed alpha.
  EXPECT_GE(naive, kTrials * 25 / 100);
}

// The expectation of e at the stopping time "e >= 3".
TEST(SignEValueTest, HasExpectationOneAtStoppingTimes) {
  constexpr uint64_t kSeed = 6;
  RecordProperty("seed", std::to_string(kSeed));
  Rng rng(kSeed);
  constexpr int kTrials = 4000;
  double sum = 0;
  double squares = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    double e = 1;
    int64_t above = 0;
    for (int64_t n = 1; n <= 100 && e < 3; ++n) {
      above += rng.UniformFloat(-1, 1) > 0;
      e = std::exp(LogSignEValue(above, n, kConcentration));
    }
    sum += e;
    squares += e * e;
  }
  const double mean = sum / kTrials;
  const double error = std::sqrt((squares / kTrials - mean * mean) / kTrials);
  EXPECT_NEAR(mean, 1, 4 * error);
}

TEST(SignEValueTest, DetectsShift) {
  EXPECT_GT(LogSignEValue(70, 100, kConcentration), std::log(200.0));
  EXPECT_LT(LogSignEValue(30, 100, kConcentration), std::log(0.1));
}

}  // namespace
}  // namespace assay::stats
