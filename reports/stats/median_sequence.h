// MedianSequence: a confidence sequence for a median.
//
// A confidence sequence is a confidence interval that is updated with each
// sample. With probability at least `level`, all intervals of the sequence
// cover the median. Therefore the interval may be examined after each sample,
// and sampling may stop at any data-dependent time.
//
// The interval consists of all m that the sign process (sign_process.h) does
// not reject. There are two e-values for each m: one against the hypothesis
// "the median is at most m" and one against "the median is at least m". m is
// rejected if at least one of them is 2 / (1 - level) or more. The e-values
// depend on m only through the numbers of samples above m and below m.
// Therefore the interval lies between two order statistics: the k-th smallest
// and the k-th largest of n samples, where k = n + 1 - c. The critical count c
// is the smallest number of samples above m with which m is rejected. With each
// new sample, c stays the same or increases by one.
//
// The interval is about 1.4 times as wide as the interval for a fixed number of
// samples (sign_interval.h). Its coverage at a fixed time exceeds the level.
//
// Add() inserts into a sorted vector. This takes O(n) time but is fast for
// typical numbers of samples. Interval() takes O(1) time.
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
  // Requires `level` in (0, 1) and `concentration` > 0 (sign_process.h).
  explicit MedianSequence(double level, double concentration = kConcentration);

  // CHECK-fails if `sample` is NaN.
  void Add(double sample);

  // Returns the samples in ascending order.
  const std::vector<double>& sorted() const { return sorted_; }
  // Returns the number of samples.
  int64_t count() const { return static_cast<int64_t>(sorted_.size()); }
  // Returns the number of samples that are greater than m.
  int64_t CountAbove(double m) const;
  // Returns the number of samples that are less than m.
  int64_t CountBelow(double m) const;

  // Returns the rank k of the bounds; 0 if there are too few samples for an
  // interval.
  int64_t rank() const { return count() + 1 - critical_; }
  // Returns the current interval. Its `coverage` is the level. CHECK-fails if
  // there are no samples.
  MedianInterval Interval() const;

 private:
  double level_;
  double concentration_;
  double log_e_;  // log(2 / (1 - level)), the smallest log e-value that rejects
  std::vector<double> sorted_;
  int64_t critical_ = 1;  // critical count for sorted_.size() samples
};

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_MEDIAN_SEQUENCE_H_
