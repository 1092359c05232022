// FindChangePoints: where the level of a history changed.
//
// A history is one number per night, the median latency of a cell. Nights
// scatter, drift and have outliers, so what is looked for is not a night that
// differs but a place from which on, or a stretch over which, the values are
// others than around it. It is a screen, like compare.h: it says where to look,
// and measuring side by side says whether the program is the reason.
//
// The method is binary segmentation on ranks. A stretch of n values is divided
// in two, at each place, and into a part in the middle and what is around it,
// in each way; of the sum of ranks of one side,
//   z = |sum - expectation| / standard deviation, both under random order.
// The statistic is the largest z^2, that of parts in the middle lowered by
// 2 log(n / 2), because there are n / 2 times as many of them. Ranks, because a
// single wild night then counts no more than the slowest of the others; parts
// in the middle, because that is what a slow-down repaired a week later is.
// Significance comes from permutations: if all orders of the values are equally
// likely, the share of random orders whose statistic is as large is a p-value,
// exactly, whatever the distribution; it is estimated as Besag and Clifford do,
// which stops early where nothing is to be found. A significant stretch is
// divided there and its pieces are searched in turn. In the end each change is
// tested once more between its neighbours, so that all that remain are
// significant there and lie where they fit best.
//
// Nights that resemble the night before break the assumption: such a series
// wanders, and wandering looks like change. Therefore z^2 is multiplied by
// (1 - c) / (1 + c) for the correlation c of nights in turn, by which it makes
// a long mean less certain. c is the smaller of two estimates, of the ranks
// less their means on either side, and of differences over one night and two,
// which a further change of level barely touches. The permuted series have
// theirs, so that nothing is lost of the exactness without correlation. With
// correlation the level is not quite kept: reports/docs/page.md has figures.
//
// Sources: Scott and Knott, "A cluster analysis method for grouping means in
// the analysis of variance", Biometrics 30, 1974; Pettitt, "A non-parametric
// approach to the change-point problem", Applied Statistics 28, 1979 (ranks);
// Olshen, Venkatraman, Lucito and Wigler, "Circular binary segmentation for the
// analysis of array-based DNA copy number data", Biostatistics 5, 2004 (parts
// in the middle, permutations); Besag and Clifford, "Sequential Monte Carlo
// p-values", Biometrika 78, 1991; Robbins, Gallagher, Lund and Aue, "Mean shift
// testing in correlated data", Journal of Time Series Analysis 32, 2011;
// Inclan and Tiao, "Use of cumulative sums of squares for retrospective
// detection of changes of variance", Journal of the American Statistical
// Association 89, 1994 (testing once more).
#ifndef ASSAY_REPORTS_STATS_CHANGE_POINTS_H_
#define ASSAY_REPORTS_STATS_CHANGE_POINTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::stats {

struct ChangePointOptions {
  // The probability that a history without a change, whose nights are
  // exchangeable, is said to have any.
  double level = 0.01;
  // The fewest values between two changes; one or two do not make a level.
  int64_t min_segment = 3;
  // Of the permutations: the same values and options give the same answer.
  uint64_t seed = 1;
};

struct ChangePoint {
  // Of the first value of the new level.
  int64_t index = 0;
  // Medians from the change before to this one, and from here to the next.
  double before = 0;
  double after = 0;
  // Between these neighbours.
  double p_value = 1;
};

// In ascending order of indices. `values` are finite, oldest first; fewer than
// twice min_segment have no change, and a dozen is about what it takes for one.
// Takes some milliseconds for a hundred values at 1 %.
std::vector<ChangePoint> FindChangePoints(absl::Span<const double> values,
                                          const ChangePointOptions& options);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_CHANGE_POINTS_H_
