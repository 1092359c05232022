// The sign process: evidence that a median is not where the null hypothesis
// says, which may be looked at after every sample.
//
// A test at level alpha that is repeated as samples come in and stopped when it
// rejects is wrong more often than alpha: in the long run, always. What may be
// watched is a bet. Start with one unit; before each sample stake part of it,
// at odds that are fair if the null hypothesis is true, on the sample lying
// above m. Under
//   H: given the past, each sample exceeds m with probability 1/2 at most,
// nobody can expect to gain: what the gambler has, e, is a nonnegative
// supermartingale that starts at 1. By Ville's inequality it ever reaches
// 1 / alpha with probability alpha at most, and at any moment chosen in sight
// of the samples its expectation is at most 1, so that it is an e-value there.
//
// The bet: for a coin that shows "above" with probability p, the best stake
// multiplies e by 2 p or 2 (1 - p). p is not known, so the unit is spread over
// all p from 1/2 to 1 with the density of a Beta(a, a), which is symmetric,
// folded to that half. After s of n samples above m,
//   e = 2^n * integral from 1/2 to 1 of p^s (1-p)^(n-s) dBeta(p; a, a) * 2
//     = 2^n * B(a + s, a + n - s) / B(a, a)
//           * 2 * P(Beta(a + s, a + n - s) > 1/2),
// which depends on s and n only. `a` is where the bet is concentrated: p - 1/2
// has the standard deviation 1 / sqrt(8 a + 4) before folding, 0.14 for a = 6.
// Small a is best for changes far above the noise, which any test sees.
//
// Equal to m counts as not above it, in both directions, so ties (clocks that
// tick coarsely) cost evidence and never make any.
//
// "The median is m" is rejected at level alpha where e reaches 2 / alpha for
// samples above m or for samples below it.
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

// The default for `a`. reports/docs/verdict.md shows what others would do.
constexpr double kConcentration = 6;

// log e against "the median is at most m" after `above` of `count` samples lay
// above m; given the number of those below m, against "at least m". At any
// moment exp() of it is an e-value (false_discovery.h). Its maximum so far is
// none: that may be compared with log(1 / alpha), and with nothing else.
double LogSignEValue(int64_t above, int64_t count, double concentration);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_SIGN_PROCESS_H_
