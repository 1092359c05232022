// MedianSequence: where the median lies, true at every moment at once.
//
// A confidence sequence: with probability `level` the interval covers the
// median after every number of samples, so it may be watched, and watching may
// end when it says enough. It is the set of all m that the sign process
// (sign_process.h) does not reject: those with e < 2 / (1 - level) both against
// "the median is at most m" and against "at least m". The process depends on m
// by the number of samples above or below it only, so the set is the interval
// between two order statistics, the k-th smallest and the k-th largest, where
// n + 1 - k is the critical count of n. For k there is nothing to compute anew:
// from one sample to the next the critical count grows by one or not at all.
//
// Its price against an interval for one fixed number of samples
// (sign_interval.h) is width, some 1.4 times; its coverage at any one
// moment is above the level.
//
// A sample costs one insertion into a sorted vector: some microseconds for as
// many samples as a benchmark has, at most n moves; the interval costs nothing.
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
  // `level` in (0, 1).
  explicit MedianSequence(double level, double concentration = kConcentration);

  // `sample` is a number.
  void Add(double sample);

  // In ascending order.
  const std::vector<double>& sorted() const { return sorted_; }
  int64_t count() const { return static_cast<int64_t>(sorted_.size()); }
  int64_t CountAbove(double m) const;
  int64_t CountBelow(double m) const;

  // The k above; 0 if there are too few samples for an interval.
  int64_t rank() const { return count() + 1 - critical_; }
  // As it is now. `coverage` is the level. There is at least one sample.
  MedianInterval Interval() const;

 private:
  double level_;
  double concentration_;
  double log_e_;  // that rejects
  std::vector<double> sorted_;
  int64_t critical_ = 1;
};

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_MEDIAN_SEQUENCE_H_
