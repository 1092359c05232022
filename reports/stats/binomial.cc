#include "reports/stats/binomial.h"

#include <cmath>
#include <limits>

#include "runtime/base/check.h"

namespace assay::stats {
namespace {

// Thread-safe, unlike std::lgamma, which writes the sign to a global variable.
double LogGamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}

// The continued fraction F in I_x(a, b) = F * x^a (1-x)^b / (a B(a, b)). It
// converges fast for x < (a + 1) / (a + b + 2).
double ContinuedFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;  // replaces 0 in denominators
  constexpr double kPrecision = 1e-15;
  constexpr int kMaxSteps = 100'000;
  const auto not_zero = [](double v) {
    return std::abs(v) < kTiny ? kTiny : v;
  };
  double c = 1;
  double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
  double value = d;
  for (int m = 1; m <= kMaxSteps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / not_zero(1 + even * d);
    c = not_zero(1 + even / c);
    value *= c * d;
    const double odd =
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / not_zero(1 + odd * d);
    c = not_zero(1 + odd / c);
    value *= c * d;
    if (std::abs(c * d - 1) < kPrecision) break;
  }
  return value;
}

// Returns p with I_p(a, b) = probability, by bisection.
double InverseRegularizedBeta(double a, double b, double probability) {
  double lower = 0;
  double upper = 1;
  const double target = std::log(probability);
  // 60 steps exceed the precision of a double near 1/2.
  for (int i = 0; i < 60; ++i) {
    const double middle = (lower + upper) / 2;
    (LogRegularizedBeta(a, b, middle) < target ? lower : upper) = middle;
  }
  return (lower + upper) / 2;
}

}  // namespace

double LogBeta(double a, double b) {
  CHECK_GT(a, 0);
  CHECK_GT(b, 0);
  return LogGamma(a) + LogGamma(b) - LogGamma(a + b);
}

double LogRegularizedBeta(double a, double b, double x) {
  CHECK(x >= 0 && x <= 1) << "x = " << x;
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (x == 1) return 0;
  const double front = a * std::log(x) + b * std::log1p(-x) - LogBeta(a, b);
  if (x < (a + 1) / (a + b + 2)) {
    return front - std::log(a) + std::log(ContinuedFraction(a, b, x));
  }
  // I_x(a, b) = 1 - I_{1-x}(b, a).
  const double rest =
      std::exp(front - std::log(b)) * ContinuedFraction(b, a, 1 - x);
  return std::log1p(-std::fmin(rest, 1));
}

double BinomialCdf(int64_t k, int64_t n, double p) {
  CHECK_GE(n, 0);
  CHECK(p >= 0 && p <= 1) << "p = " << p;
  if (k < 0) return 0;
  if (k >= n) return 1;
  return std::exp(LogRegularizedBeta(static_cast<double>(n - k),
                                     static_cast<double>(k + 1), 1 - p));
}

Proportion ClopperPearson(int64_t successes, int64_t trials, double level) {
  CHECK(successes >= 0 && successes <= trials) << successes << " of " << trials;
  CHECK(level > 0 && level < 1) << "level " << level;
  const double tail = (1 - level) / 2;
  const double s = static_cast<double>(successes);
  const double f = static_cast<double>(trials - successes);
  Proportion result;
  if (successes > 0) result.lower = InverseRegularizedBeta(s, f + 1, tail);
  if (successes < trials) {
    result.upper = InverseRegularizedBeta(s + 1, f, 1 - tail);
  }
  return result;
}

}  // namespace assay::stats
