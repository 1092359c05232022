// MedianSequence: a confidence sequence for a median.
//
// With probability at least `level`, the interval covers the median after every
// number of samples simultaneously. It may therefore be examined continuously,
// and sampling may stop at any data-dependent time. The interval consists of
// all m that the sign process (sign_process.h) does not reject, i.e. those with
// e < 2 / (1 - level) both against "the median is at most m" and against "the
// median is at least m". The process depends on m only through the number of
// samples above or below it, so the set is the interval between two order
// statistics: the k-th smallest and the k-th largest sample, where n + 1 - k is
// the critical count for n samples, the smallest number of samples above m with
// which m is rejected. k is updated incrementally: with each sample the
// critical count stays or increases by one.
//
// The interval is about 1.4 times as wide as one for a fixed number of samples
// (sign_interval.h), and its coverage at a fixed time exceeds the level.
//
// Add() inserts into a sorted vector, O(n) but fast for typical sample counts;
// Interval() is O(1).
//
// Source: Howard and Ramdas, "Sequential estimation of quantiles with
// applications to A/B testing and best-arm identification", Bernoulli 28, 2022.
#ifndef ASSAY_REPORTS_STATS_MEDIAN_SEQUENCE_H_
#define ASSAY_REPORTS_STATS_MEDIAN_SEQUENCE_H_

#include <cstdint>
#include <vector>

#include "reports/stats/sign_interval.h"
#include "reports/stats/sign_process.h"

namespace assay::stats {

class MedianSequence {
 public:
  // Requires `level` in (0, 1).
  explicit MedianSequence(double level, double concentration = kConcentration);

  // CHECK-fails if `sample` is NaN.
  void Add(double sample);

  // The samples in ascending order.
  const std::vector<double>& sorted() const { return sorted_; }
  int64_t count() const { return static_cast<int64_t>(sorted_.size()); }
  int64_t CountAbove(double m) const;
  int64_t CountBelow(double m) const;

  // The rank k of the bounds; 0 if there are too few samples for an interval.
  int64_t rank() const { return count() + 1 - critical_; }
  // The current interval; `coverage` is the level. Requires a sample.
  MedianInterval Interval() const;

 private:
  double level_;
  double concentration_;
  double log_e_;  // log e-value at which a median is rejected
  std::vector<double> sorted_;
  int64_t critical_ = 1;  // critical count for sorted_.size() samples
};

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_MEDIAN_SEQUENCE_H_
