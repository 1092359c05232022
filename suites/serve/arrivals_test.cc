#include "suites/serve/arrivals.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

std::vector<double> Gaps(const std::vector<int64_t>& arrivals) {
  std::vector<double> gaps;
  int64_t last = 0;
  for (const int64_t t : arrivals) {
    gaps.push_back(static_cast<double>(t - last) * 1e-9);
    last = t;
  }
  return gaps;
}

// The test of Kolmogorov and Smirnov at the level 0.1 %.
TEST(ArrivalsTest, GapsAreExponential) {
  constexpr double kRate = 250;
  constexpr int64_t kCount = 20000;
  std::vector<double> gaps = Gaps(PoissonArrivals(kRate, kCount, 7));
  std::sort(gaps.begin(), gaps.end());
  double distance = 0;
  for (size_t i = 0; i < gaps.size(); ++i) {
    const double cdf = 1 - std::exp(-kRate * gaps[i]);
    const double n = static_cast<double>(gaps.size());
    distance = std::max({distance, std::abs(cdf - static_cast<double>(i) / n),
                         std::abs(cdf - static_cast<double>(i + 1) / n)});
  }
  EXPECT_LT(distance, 1.95 / std::sqrt(static_cast<double>(kCount)));
}

TEST(ArrivalsTest, GapsAreIndependent) {
  const std::vector<double> gaps = Gaps(PoissonArrivals(1, 20000, 8));
  double covariance = 0;
  for (size_t i = 1; i < gaps.size(); ++i) {
    covariance += (gaps[i] - 1) * (gaps[i - 1] - 1);
  }
  // Its standard deviation is 1 / sqrt(20000).
  EXPECT_LT(std::abs(covariance) / 20000, 4 / std::sqrt(20000.0));
}

TEST(ArrivalsTest, SeedsSelectArrivals) {
  EXPECT_EQ(PoissonArrivals(10, 100, 1), PoissonArrivals(10, 100, 1));
  EXPECT_NE(PoissonArrivals(10, 100, 1), PoissonArrivals(10, 100, 2));
  const std::vector<int64_t> arrivals = PoissonArrivals(1e6, 1000, 3);
  EXPECT_TRUE(std::is_sorted(arrivals.begin(), arrivals.end()));
  EXPECT_TRUE(PoissonArrivals(1, 0, 1).empty());
}

}  // namespace
}  // namespace assay::suites
