// The binomial distribution and the incomplete beta function.
//
// The tests in this folder are sign tests: a sample is above or below the true
// median with probability 1/2 each. They need the binomial CDF and, for tests
// that mix over an unknown p, integrals of p^x (1 - p)^y.
//
// LogRegularizedBeta() computes the logarithm of
//   I_x(a, b) = integral from 0 to x of t^(a-1) (1-t)^(b-1) dt / B(a, b)
// with the continued fraction 8.17.22 of the NIST Digital Library of
// Mathematical Functions, evaluated by the modified Lentz method (Thompson and
// Barnett, "Coulomb and Bessel functions of complex arguments and order",
// Journal of Computational Physics 64, 1986). It takes about sqrt(max(a, b))
// steps and is accurate to ten digits for a + b up to ten thousand and to eight
// digits up to a million.
//
// ClopperPearson() is the exact interval of Clopper and Pearson ("The use of
// confidence or fiducial limits illustrated in the case of the binomial",
// Biometrika 26, 1934). Its coverage is at least the nominal level for every
// number of trials.
#ifndef ASSAY_REPORTS_STATS_BINOMIAL_H_
#define ASSAY_REPORTS_STATS_BINOMIAL_H_

#include <cstdint>

namespace assay::stats {

// log B(a, b). Requires a > 0 and b > 0.
double LogBeta(double a, double b);

// log I_x(a, b); -infinity for x = 0. Requires a > 0, b > 0 and x in [0, 1].
double LogRegularizedBeta(double a, double b, double x);

// P(X <= k) for X ~ Binomial(n, p). Requires n >= 0; `k` may be any integer.
double BinomialCdf(int64_t k, int64_t n, double p);

struct Proportion {
  double lower = 0;
  double upper = 1;
};

// A two-sided confidence interval at `level` in (0, 1) for a proportion of
// which `successes` were observed in `trials`. Each bound is wrong with
// probability at most (1 - level) / 2.
Proportion ClopperPearson(int64_t successes, int64_t trials, double level);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_BINOMIAL_H_
