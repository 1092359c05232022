// SignInterval: a distribution-free confidence interval of a median for a fixed
// number of samples.
//
// If the samples are independent and each is above or below the median m with
// equal probability, the number of samples below m is Binomial(n, 1/2). m lies
// between the k-th smallest and the k-th largest of n samples unless fewer than
// k samples are below m or fewer than k samples are above it:
//   P(m outside) <= 2 P(Binomial(n, 1/2) <= k - 1),
// and k is the largest number for which this is at most 1 - level. There are no
// assumptions about shape, symmetry or moments; outliers and heavy tails are
// harmless. The interval is closed, so ties widen it but never reduce its
// coverage (Thompson, "On confidence ranges for the median and other
// expectation distributions", Annals of Mathematical Statistics 7, 1936;
// Conover, "Practical Nonparametric Statistics", on the quantile test).
//
// Since k is an integer, the actual coverage for a given n, stored in
// `coverage`, usually exceeds the level. If even the smallest and the largest
// sample do not reach the level, the interval is unbounded.
//
// The interval is valid only if the number of samples does not depend on the
// samples. For sequential use see median_sequence.h.
#ifndef ASSAY_REPORTS_STATS_SIGN_INTERVAL_H_
#define ASSAY_REPORTS_STATS_SIGN_INTERVAL_H_

#include <cstdint>
#include <limits>

#include "absl/types/span.h"

namespace assay::stats {

struct MedianInterval {
  int64_t count = 0;
  double median = 0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  // Lower bound of the probability that such an interval covers the median.
  double coverage = 1;

  // False if there were too few samples for the level.
  bool bounded() const {
    return lower > -std::numeric_limits<double>::infinity() &&
           upper < std::numeric_limits<double>::infinity();
  }
};

// The rank k of the bounds; 0 if `count` samples are too few (fewer than 8 for
// a level of 99 %).
int64_t SignIntervalRank(int64_t count, double level);

// Requires `level` in (0, 1). CHECK-fails if there are no samples or a sample
// is NaN.
MedianInterval SignInterval(absl::Span<const double> samples, double level);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_SIGN_INTERVAL_H_
