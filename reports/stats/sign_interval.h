// SignInterval: where the median lies, from a number of samples fixed
// beforehand, whatever their distribution.
//
// If the samples are independent and each is as likely above the median m of
// its distribution as below it, the number of samples below m is a count of
// heads of a fair coin. So m lies between the k-th smallest and the k-th
// largest of n samples unless fewer than k heads or fewer than k tails came up:
//   P(m outside) <= 2 P(Binomial(n, 1/2) <= k - 1),
// and k is the largest number for which that is at most 1 - level. Nothing is
// assumed of shape, symmetry or moments: outliers need not be dropped, and a
// heavy tail costs nothing. The interval is closed, so equal samples widen it
// rather than make it miss (Thompson, "On confidence ranges for the median and
// other expectation distributions", Annals of Mathematical Statistics 7, 1936;
// Conover, "Practical Nonparametric Statistics", on the quantile test).
//
// The level is reached exactly only for some n, otherwise it is exceeded;
// `coverage` is what it comes to for this n. Where even the smallest and the
// largest sample do not bound the median at the level, the interval is the
// whole line.
//
// It holds for one look at a number of samples that did not depend on them. For
// looking as the samples come, see median_sequence.h.
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
  // The probability that such an interval covers the median, at least.
  double coverage = 1;

  // False where there were too few samples for the level.
  bool bounded() const {
    return lower > -std::numeric_limits<double>::infinity() &&
           upper < std::numeric_limits<double>::infinity();
  }
};

// The k above; 0 if `count` samples are too few: fewer than 8 at 99 %.
int64_t SignIntervalRank(int64_t count, double level);

// `level` in (0, 1). CHECK-fails without samples and on a sample that is not a
// number.
MedianInterval SignInterval(absl::Span<const double> samples, double level);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_SIGN_INTERVAL_H_
