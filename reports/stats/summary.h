// Summarize: summary statistics of a vector of samples.
//
// A summary does not replace the samples. Store the samples as well, because
// summaries cannot be combined, tested or recomputed without the samples.
//
// Definitions for samples x[0..n-1] in any unit:
//   mean          sum(x) / n
//   std           sample standard deviation: sqrt(sum((x - mean)^2) / (n - 1));
//                 0 for n = 1
//   percentile p  the value of the sorted samples at the fractional index
//                 p / 100 * (n - 1), with linear interpolation. Hence for n in
//                 [2, 100] the 99th percentile lies between the two largest
//                 samples.
//   median        percentile 50: the mean of the middle two if n is even
//   robust_sigma  1.4826 * median(|x - median|): a robust estimate of the
//                 standard deviation of normally distributed samples. It
//                 tolerates outliers if they are less than half of the samples.
//                 It is zero if more than half of the samples are equal.
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

// Returns the summary of `samples`. CHECK-fails if there are no samples or a
// sample is not finite.
Summary Summarize(absl::Span<const double> samples);

// Returns the percentile `p`. CHECK-fails if `p` is not in [0, 100] or there
// are no samples.
double Percentile(absl::Span<const double> samples, double p);

// Returns the median; the samples may be infinite. CHECK-fails if there are no
// samples.
double Median(absl::Span<const double> samples);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_SUMMARY_H_
