// The binomial distribution, and the beta function behind it.
//
// Every statement about a median here is a statement about a coin: a sample
// lies above the true median or below it, each with probability 1/2. So all
// that is needed of numerical mathematics is how likely a count of heads is,
// and the integrals of p^x (1 - p)^y that arise where p is unknown.
//
// LogRegularizedBeta() is the logarithm of
//   I_x(a, b) = integral from 0 to x of t^(a-1) (1-t)^(b-1) dt / B(a, b),
// by the continued fraction 8.17.22 of the NIST Digital Library of Mathematical
// Functions, evaluated by Lentz's method as Thompson and Barnett modified it
// ("Coulomb and Bessel functions of complex arguments and order", Journal of
// Computational Physics 64, 1986). It takes some sqrt(max(a, b)) steps and is
// good to ten digits for sums a + b up to ten thousand, to eight up to a
// million.
//
// The interval for a proportion is that of Clopper and Pearson ("The use of
// confidence or fiducial limits illustrated in the case of the binomial",
// Biometrika 26, 1934). It covers the true proportion at least as often as it
// says, for every number of trials.
#ifndef ASSAY_REPORTS_STATS_BINOMIAL_H_
#define ASSAY_REPORTS_STATS_BINOMIAL_H_

#include <cstdint>

namespace assay::stats {

// log B(a, b); a and b are positive.
double LogBeta(double a, double b);

// log I_x(a, b); a and b are positive, x is in [0, 1]. -infinity for x = 0.
double LogRegularizedBeta(double a, double b, double x);

// The probability of at most `k` heads in `n` tosses, each of which is heads
// with probability `p`. `k` may be any number, `n` is not negative.
double BinomialCdf(int64_t k, int64_t n, double p);

struct Proportion {
  double lower = 0;
  double upper = 1;
};

// Where the true proportion lies, with confidence `level` in (0, 1), after
// `successes` of `trials`. Two-sided: each end is wrong with probability
// (1 - level) / 2 at most.
Proportion ClopperPearson(int64_t successes, int64_t trials, double level);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_BINOMIAL_H_
