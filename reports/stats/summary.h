// Summarize: summary statistics of a vector of samples.
//
// A summary does not replace the samples: they must be stored as well, because
// these statistics cannot be combined, tested or recomputed without them.
//
// Definitions for samples x[0..n-1] in any unit:
//   mean          sum(x) / n
//   std           sample standard deviation: sqrt(sum((x - mean)^2) / (n - 1));
//                 0 for n = 1
//   percentile p  the value of the sorted samples at the fractional index
//                 p / 100 * (n - 1), with linear interpolation. With at most
//                 100 samples, the 99th percentile hence lies between the two
//                 largest samples.
//   median        percentile 50
//   robust_sigma  1.4826 * median(|x - median|): a robust estimate of the
//                 standard deviation of normally distributed samples. It
//                 tolerates outliers in less than half of the samples, and is
//                 zero if more than half of the samples are equal.
#ifndef ASSAY_REPORTS_STATS_SUMMARY_H_
#define ASSAY_REPORTS_STATS_SUMMARY_H_

#include <cstdint>

#include "absl/types/span.h"

namespace assay::stats {

struct Summary {
  int64_t count = 0;
  double mean = 0;
  double std = 0;
  double min = 0;
  double median = 0;
  double p99 = 0;
  double max = 0;
  double robust_sigma = 0;
};

bool operator==(const Summary& a, const Summary& b);

// CHECK-fails if there are no samples or a sample is not finite.
Summary Summarize(absl::Span<const double> samples);

// Requires `p` in [0, 100] and at least one sample, else CHECK-fails.
double Percentile(absl::Span<const double> samples, double p);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_SUMMARY_H_
