// The sign process: an e-process for a sequential sign test of a median.
//
// A fixed-sample test at level alpha that is repeated as samples arrive, and
// stopped when it rejects, has a type I error above alpha, which tends to 1.
// An e-process allows such optional stopping. It can be understood as a betting
// game: a gambler starts with one unit and, before each sample, bets a fraction
// of it on the sample being above m, at odds that are fair under the null
// hypothesis. Under
//   H: given the past, each sample exceeds m with probability at most 1/2,
// the wealth e is a nonnegative supermartingale that starts at 1. By Ville's
// inequality the probability that it ever reaches 1 / alpha is at most alpha,
// and its expectation at any stopping time is at most 1, i.e. it is an e-value
// there.
//
// If a sample is above m with probability p, the bet with the largest growth
// multiplies e by 2 p or 2 (1 - p). p is unknown, so the bet is a mixture over
// p in [1/2, 1] whose density is that of Beta(a, a), folded to this half. After
// s of n samples above m,
//   e = 2^n * integral from 1/2 to 1 of p^s (1-p)^(n-s) dBeta(p; a, a) * 2
//     = 2^n * B(a + s, a + n - s) / B(a, a)
//           * 2 * P(Beta(a + s, a + n - s) > 1/2),
// which depends only on s and n. The parameter `a` controls the concentration
// of the mixture: before folding, p has the standard deviation
// 1 / sqrt(8 a + 4), which is 0.14 for a = 6. A small `a` favours changes far
// above the noise, which every test detects.
//
// A sample equal to m counts as not above m and as not below m, so ties (coarse
// clocks) reduce the evidence and never create any.
//
// "The median is m" is rejected at level alpha if e reaches 2 / alpha for the
// samples above m or for the samples below m.
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

// The default of `a`. reports/docs/verdict.md explains the choice.
constexpr double kConcentration = 6;

// log e against "the median is at most m" after `above` of `count` samples were
// above m; with the number of samples below m, against "the median is at least
// m". Its exponential is an e-value at any stopping time (false_discovery.h).
// The running maximum is not an e-value; it may only be compared with
// log(1 / alpha).
double LogSignEValue(int64_t above, int64_t count, double concentration);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_SIGN_PROCESS_H_
