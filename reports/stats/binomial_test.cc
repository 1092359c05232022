#include "reports/stats/binomial.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace assay::stats {
namespace {

// P(X <= k) as the sum of the terms, with exact binomial coefficients.
double SlowCdf(int64_t k, int64_t n, double p) {
  double sum = 0;
  double coefficient = 1;
  for (int64_t i = 0; i <= k; ++i) {
    sum += coefficient * std::pow(p, static_cast<double>(i)) *
           std::pow(1 - p, static_cast<double>(n - i));
    coefficient *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return sum;
}

TEST(BinomialTest, CdfEqualsSumOfTerms) {
  for (const double p : {0.02, 0.3, 0.5, 0.9}) {
    for (const int64_t n : {1, 2, 7, 40}) {
      for (int64_t k = 0; k < n; ++k) {
        const double slow = SlowCdf(k, n, p);
        EXPECT_NEAR(BinomialCdf(k, n, p), slow, 1e-12 * slow + 1e-15)
            << "k " << k << " n " << n << " p " << p;
      }
      EXPECT_EQ(BinomialCdf(-1, n, p), 0);
      EXPECT_EQ(BinomialCdf(n, n, p), 1);
    }
  }
}

TEST(BinomialTest, CdfApproachesNormalDistribution) {
  constexpr int64_t kTosses = 1'000'000;
  // The standard deviation is 500; 0.5 is the continuity correction.
  for (const double z : {-3.0, -1.0, 0.0, 1.0, 3.0}) {
    const int64_t k = kTosses / 2 + static_cast<int64_t>(500 * z);
    const double normal = 0.5 * std::erfc(-(z + 0.5 / 500) / std::sqrt(2.0));
    EXPECT_NEAR(BinomialCdf(k, kTosses, 0.5), normal, 1e-6) << z;
  }
  // 1/2 plus half of the central term, by Stirling's series.
  const double middle =
      (1 - 0.25 / kTosses) / std::sqrt(std::acos(-1.0) * kTosses / 2);
  EXPECT_NEAR(BinomialCdf(kTosses / 2, kTosses, 0.5), 0.5 + middle / 2, 5e-9);
}

TEST(BinomialTest, LogRegularizedBetaDoesNotUnderflow) {
  // I_{1/2}(n, 1) = 2^-n.
  EXPECT_NEAR(LogRegularizedBeta(5000, 1, 0.5), -5000 * std::log(2.0), 1e-8);
  // I_x(a, b) + I_{1-x}(b, a) = 1.
  EXPECT_NEAR(std::exp(LogRegularizedBeta(3.5, 9, 0.2)) +
                  std::exp(LogRegularizedBeta(9, 3.5, 0.8)),
              1, 1e-13);
  // B(1/2, 1/2) = pi.
  EXPECT_NEAR(LogBeta(0.5, 0.5), std::log(std::acos(-1.0)), 1e-14);
}

// Published values: the 95 % limits for 10 of 100 are 4.90 % and 17.62 %; the
// upper limit for 0 of n is 1 - 0.025^(1/n).
TEST(ClopperPearsonTest, MatchesPublishedLimits) {
  const Proportion ten = ClopperPearson(10, 100, 0.95);
  EXPECT_NEAR(ten.lower, 0.0490, 5e-5);
  EXPECT_NEAR(ten.upper, 0.1762, 5e-5);
  const Proportion none = ClopperPearson(0, 120, 0.95);
  EXPECT_EQ(none.lower, 0);
  EXPECT_NEAR(none.upper, 1 - std::pow(0.025, 1.0 / 120), 1e-12);
  const Proportion all = ClopperPearson(120, 120, 0.95);
  EXPECT_NEAR(all.lower, 1 - none.upper, 1e-12);
  EXPECT_EQ(all.upper, 1);
}

// Computes, for every p, the exact probability that the interval misses p.
TEST(ClopperPearsonTest, CoverageIsAtLeastTheNominalLevel) {
  constexpr int64_t kTrials = 30;
  std::vector<Proportion> limits;
  for (int64_t s = 0; s <= kTrials; ++s) {
    limits.push_back(ClopperPearson(s, kTrials, 0.9));
  }
  for (double p = 0.01; p < 1; p += 0.01) {
    double below = 0;
    double above = 0;
    for (int64_t s = 0; s <= kTrials; ++s) {
      const double chance =
          BinomialCdf(s, kTrials, p) - BinomialCdf(s - 1, kTrials, p);
      if (p < limits[static_cast<size_t>(s)].lower) below += chance;
      if (p > limits[static_cast<size_t>(s)].upper) above += chance;
    }
    EXPECT_LE(below, 0.05 + 1e-9) << p;
    EXPECT_LE(above, 0.05 + 1e-9) << p;
  }
}

}  // namespace
}  // namespace assay::stats
