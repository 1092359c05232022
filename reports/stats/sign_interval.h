// SignInterval: a distribution-free confidence interval of a median for a fixed
// number of samples.
//
// Assume that the samples are independent, and that each sample is above or
// below the median m with equal probability. Then the number of samples below m
// has the distribution Binomial(n, 1/2). The interval extends from the k-th
// smallest to the k-th largest of n samples. m lies outside the interval only
// if fewer than k samples are below m or fewer than k samples are above m:
//   P(m outside) <= 2 P(Binomial(n, 1/2) <= k - 1).
// k is the largest number for which this bound is at most 1 - level.
//
// The interval requires no assumptions about the shape, the symmetry or the
// moments of the distribution. It is valid in the presence of outliers and
// heavy tails. The interval is closed, so ties may widen it but never reduce
// its coverage (Thompson, "On confidence ranges for the median and other
// expectation distributions", Annals of Mathematical Statistics 7, 1936;
// Conover, "Practical Nonparametric Statistics", on the quantile test).
//
// Because k is an integer, the guaranteed coverage usually exceeds the level.
// MedianInterval::coverage contains the guaranteed coverage. If even the
// interval from the smallest to the largest sample does not reach the level,
// the function returns an unbounded interval.
//
// The interval is valid only if the number of samples does not depend on the
// values of the samples. Otherwise use median_sequence.h.
#ifndef ASSAY_REPORTS_STATS_SIGN_INTERVAL_H_
#define ASSAY_REPORTS_STATS_SIGN_INTERVAL_H_

#include <cstdint>
#include <limits>

#include "absl/types/span.h"

namespace assay::stats {

// A median and the bounds of its confidence interval.
struct MedianInterval {
  int64_t count = 0;
  double median = 0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  // Lower bound of the probability that an interval that is computed in this
  // way covers the median.
  double coverage = 1;

  // Returns false if there were too few samples for the level.
  bool bounded() const {
    return lower > -std::numeric_limits<double>::infinity() &&
           upper < std::numeric_limits<double>::infinity();
  }
};

// Returns the rank k of the bounds for `count` samples; 0 if there are too few
// samples for the level (for example, fewer than 8 for a level of 99 %).
int64_t SignIntervalRank(int64_t count, double level);

// Returns the median of the samples and its confidence interval. Requires
// `level` in (0, 1). CHECK-fails if there are no samples or a sample is NaN.
MedianInterval SignInterval(absl::Span<const double> samples, double level);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_SIGN_INTERVAL_H_
