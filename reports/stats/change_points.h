// FindChangePoints: offline change-point detection in a history of latencies.
//
// A history has one value per night, the median latency of a cell. Nightly
// values are noisy, drift and have outliers. Therefore the algorithm does not
// report single deviating nights. It reports shifts of the level that are
// permanent or last for several nights. Like Screen() of compare.h, this
// function is a heuristic: it reports when the level changed, but not why. Only
// an interleaved measurement (paired_verdict.h) can decide whether a change of
// the program is the cause.
//
// The algorithm is binary segmentation on ranks:
//   1. A segment of n values is split in two kinds of ways: at one position
//      into a first and a second part, or at two positions into an inner part
//      and the values around it. All positions are tried. Inner parts detect a
//      slow-down that was fixed later.
//   2. For each split, z = |sum - mean| / sigma is computed. `sum` is the rank
//      sum of one part. `mean` and `sigma` are the mean and the standard
//      deviation of this rank sum under random permutation. Ranks limit the
//      influence of outliers.
//   3. The test statistic of the segment is the maximum of z^2 over all splits.
//      2 log(n / 2) is subtracted from the z^2 of a split at two positions,
//      because there are about n / 2 times as many of these splits as splits at
//      one position.
//   4. A permutation test computes the p-value of the statistic. It is exact
//      for every distribution if the values are exchangeable. The p-value is
//      estimated by the sequential method of Besag and Clifford, which stops
//      early if there is no change.
//   5. If the p-value is at most ChangePointOptions::level, the segment is
//      split where the maximum of step 3 was found, and the parts are searched
//      recursively.
//   6. Finally, each change point is tested again in the segment between the
//      preceding and the next change point. It is moved to the best position in
//      this segment, or dropped if it is not significant.
//
// Autocorrelated values violate exchangeability and look like level shifts.
// Therefore the maximum of z^2 over each kind of splits is multiplied by
// (1 - c) / (1 + c) before the subtraction of step 3. This is the factor by
// which a lag-1 autocorrelation c reduces the effective sample size. c is the
// minimum of two estimates, limited to the range from 0 to 0.9:
//   - the autocorrelation of the ranks after the mean of each part is
//     subtracted;
//   - an estimate from lag-1 and lag-2 differences, which is insensitive to
//     further level shifts.
// The correction is also applied to each permuted series, so the test remains
// exact if there is no autocorrelation. If there is autocorrelation, the type I
// error is slightly larger than ChangePointOptions::level (measurements:
// reports/docs/page.md).
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
  // Minimum number of values in each part of a split; at least 2.
  int64_t min_segment = 3;
  // Seed of the permutations. The result is a deterministic function of the
  // values and the options.
  uint64_t seed = 1;
};

struct ChangePoint {
  // Index of the first value of the new level.
  int64_t index = 0;
  // Median of the segment before the change.
  double before = 0;
  // Median of the segment after the change.
  double after = 0;
  // p-value of the test on both segments together.
  double p_value = 1;
};

// Returns the change points in ascending order of the index. `values` must be
// finite and ordered from oldest to newest. If there are fewer than
// 2 * min_segment values, the result is empty. About a dozen values are needed
// to detect a change. The function takes some milliseconds for a hundred values
// at the default level.
std::vector<ChangePoint> FindChangePoints(absl::Span<const double> values,
                                          const ChangePointOptions& options);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_CHANGE_POINTS_H_
