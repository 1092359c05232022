// FindChangePoints: offline change-point detection in a history of latencies.
//
// A history has one value per night, the median latency of a cell. Nightly
// values are noisy, drift and have outliers, so the search is not for single
// deviating nights but for a shift of the level, either permanent or for a
// number of nights. Like compare.h this is a screen: it reports when the level
// changed; an interleaved measurement decides whether the program is the cause.
//
// The algorithm is binary segmentation on ranks. A segment of n values is split
// at each position into two parts, and in each possible way into an inner part
// and the values around it. For the rank sum of one part,
//   z = |sum - mean| / standard deviation, both under random permutation.
// The test statistic is the maximum of z^2, where 2 log(n / 2) is subtracted
// for inner parts because there are n / 2 times as many of them. Ranks limit
// the influence of outliers. Inner parts detect a slow-down that was fixed
// later. The significance is that of a permutation test, which is exact for
// every distribution if the values are exchangeable; the p-value is estimated
// by the sequential method of Besag and Clifford, which stops early if there is
// no change. A significant segment is split there and its parts are searched
// recursively. Finally each change point is tested again between its
// neighbours, moved to the best position there, and dropped if it is not
// significant.
//
// Autocorrelated nights violate exchangeability and look like level shifts.
// Therefore z^2 is multiplied by (1 - c) / (1 + c), the factor by which a lag-1
// autocorrelation c reduces the effective sample size. c is the minimum of two
// estimates: the autocorrelation of the ranks after subtracting the mean of
// each part, and one from lag-1 and lag-2 differences, which is insensitive to
// further level shifts. The same correction is applied to each permuted series,
// so the test remains exact without autocorrelation. With autocorrelation the
// type I error exceeds the level a little: reports/docs/page.md has figures.
//
// Sources: Scott and Knott, "A cluster analysis method for grouping means in
// the analysis of variance", Biometrics 30, 1974; Pettitt, "A non-parametric
// approach to the change-point problem", Applied Statistics 28, 1979 (ranks);
// Olshen, Venkatraman, Lucito and Wigler, "Circular binary segmentation for the
// analysis of array-based DNA copy number data", Biostatistics 5, 2004 (inner
// parts, permutations); Besag and Clifford, "Sequential Monte Carlo p-values",
// Biometrika 78, 1991; Robbins, Gallagher, Lund and Aue, "Mean shift testing in
// correlated data", Journal of Time Series Analysis 32, 2011; Inclan and Tiao,
// "Use of cumulative sums of squares for retrospective detection of changes of
// variance", Journal of the American Statistical Association 89, 1994 (final
// test between neighbours).
#ifndef ASSAY_REPORTS_STATS_CHANGE_POINTS_H_
#define ASSAY_REPORTS_STATS_CHANGE_POINTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::stats {

struct ChangePointOptions {
  // Type I error: the probability that any change is reported for an
  // exchangeable history.
  double level = 0.01;
  // Minimum number of values between two changes; at least 2.
  int64_t min_segment = 3;
  // Seed of the permutations. The result is a function of values and options.
  uint64_t seed = 1;
};

struct ChangePoint {
  // Index of the first value of the new level.
  int64_t index = 0;
  // Median of the segment before and after the change.
  double before = 0;
  double after = 0;
  // p-value of the test within these two segments.
  double p_value = 1;
};

// Returns the change points in ascending order. `values` are finite, oldest
// first. Fewer than 2 * min_segment values never have a change; about a dozen
// are needed to detect one. Takes some milliseconds for a hundred values at the
// default level.
std::vector<ChangePoint> FindChangePoints(absl::Span<const double> values,
                                          const ChangePointOptions& options);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_CHANGE_POINTS_H_
