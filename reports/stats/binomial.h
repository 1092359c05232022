// The binomial distribution and the incomplete beta function.
//
// Sign tests (sign_interval.h, sign_process.h) use the fact that a sample is
// above or below the true median with probability 1/2 each. They need the
// binomial CDF and, for mixtures over an unknown probability p, integrals of
// p^x (1 - p)^y.
//
// LogRegularizedBeta() computes the logarithm of
//   I_x(a, b) = integral from 0 to x of t^(a-1) (1-t)^(b-1) dt / B(a, b)
// with the continued fraction 8.17.22 of the NIST Digital Library of
// Mathematical Functions, evaluated by the modified Lentz method (Thompson and
// Barnett, "Coulomb and Bessel functions of complex arguments and order",
// Journal of Computational Physics 64, 1986). The method takes about
// sqrt(max(a, b)) steps. The result is accurate to ten digits for a + b up to
// ten thousand, and to eight digits for a + b up to a million.
//
// ClopperPearson() computes the exact interval of Clopper and Pearson ("The use
// of confidence or fiducial limits illustrated in the case of the binomial",
// Biometrika 26, 1934). The coverage of the interval is at least the nominal
// level for every number of trials.
#ifndef ASSAY_REPORTS_STATS_BINOMIAL_H_
#define ASSAY_REPORTS_STATS_BINOMIAL_H_

#include <cstdint>

namespace assay::stats {

// Returns log B(a, b). Requires a > 0 and b > 0.
double LogBeta(double a, double b);

// Returns log I_x(a, b), which is -infinity for x = 0. Requires a > 0, b > 0
// and x in [0, 1].
double LogRegularizedBeta(double a, double b, double x);

// Returns P(X <= k) for X ~ Binomial(n, p). Requires n >= 0; `k` may be any
// integer.
double BinomialCdf(int64_t k, int64_t n, double p);

// A confidence interval for a proportion.
struct Proportion {
  double lower = 0;
  double upper = 1;
};

// Returns the two-sided confidence interval for the probability of success,
// given `successes` successes in `trials` trials. Requires `level` in (0, 1).
// Each bound is wrong with probability at most (1 - level) / 2.
Proportion ClopperPearson(int64_t successes, int64_t trials, double level);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_BINOMIAL_H_
