// The sign process: an e-process for a sequential sign test of a median. In
// this header, m is the hypothetical value of the median.
//
// Suppose that a test for a fixed number of samples at level alpha is repeated
// after each new sample, and that sampling stops when the test rejects. Then
// the type I error rate exceeds alpha; it tends to 1 as the number of samples
// grows. With an e-process, the type I error rate is at most alpha even if
// sampling stops in this way.
//
// An e-process can be described as a betting game. A gambler starts with a
// wealth of one unit. Before each sample, the gambler bets on the event that
// the sample will be above m. The stake is a fraction of the current wealth.
// The odds are fair under the null hypothesis
//   H: given the past, each sample exceeds m with probability at most 1/2.
// Under H, the wealth e is a nonnegative supermartingale that starts at 1. By
// Ville's inequality, the probability that e ever reaches 1 / alpha is at most
// alpha. The expectation of e at any stopping time is at most 1. A random
// variable with this property is called an e-value.
//
// Assume that a sample is above m with probability p. The bet with which e
// grows fastest multiplies e by 2 p if the sample is above m, and by 2 (1 - p)
// otherwise. Because p is unknown, the bet is a mixture over p in [1/2, 1]. The
// density of the mixture is that of Beta(a, a), folded at 1/2. If s of n
// samples are above m, then
//   e = 2^n * integral from 1/2 to 1 of p^s (1-p)^(n-s) dBeta(p; a, a) * 2
//     = 2^n * B(a + s, a + n - s) / B(a, a)
//           * 2 * P(Beta(a + s, a + n - s) > 1/2),
// which depends only on s and n. The parameter `a` controls the concentration
// of the mixture: before folding, p has the standard deviation
// 1 / sqrt(8 a + 4), which is 0.14 for a = 6. A small `a` gives more power for
// changes that are large compared with the noise and less power for small
// changes.
//
// A sample that is equal to m counts neither as above m nor as below m.
// Therefore ties, which occur with coarse clocks, can only reduce the evidence.
//
// The hypothesis "the median is m" is tested in both directions, each at level
// alpha / 2: e is computed once with s as the number of samples above m, and
// once with s as the number of samples below m. The hypothesis is rejected at
// level alpha if at least one of the two values is at least 2 / alpha.
//
// Sources: Ville, "Étude critique de la notion de collectif", 1939; Robbins,
// "Statistical methods related to the law of the iterated logarithm", Annals of
// Mathematical Statistics 41, 1970 (mixtures); Howard and Ramdas, "Sequential
// estimation of quantiles with applications to A/B testing and best-arm
// identification", Bernoulli 28, 2022 (the beta-binomial bound for quantiles);
// Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
// betting", Journal of the Royal Statistical Society B 86, 2024.
#ifndef ASSAY_REPORTS_STATS_SIGN_PROCESS_H_
#define ASSAY_REPORTS_STATS_SIGN_PROCESS_H_

#include <cstdint>

namespace assay::stats {

// The default value of `a`. reports/docs/verdict.md explains the choice.
constexpr double kConcentration = 2;

// Returns log e against "the median is at most m", where `above` of `count`
// samples are above m. If `above` is instead the number of samples below m, the
// result is log e against "the median is at least m". The exponential of the
// result is an e-value at any stopping time. The running maximum of the results
// is not the logarithm of an e-value; it may only be compared with
// log(1 / alpha).
double LogSignEValue(int64_t above, int64_t count, double concentration);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_SIGN_PROCESS_H_
