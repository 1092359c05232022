// Summarize: the numbers a report shows instead of a vector of samples.
//
// A summary is a view. Whoever stores a result stores the samples too, since
// none of these numbers can be combined, tested or recomputed without them.
//
// Definitions, for samples x[0..n-1] in any unit:
//   mean          sum(x) / n
//   std           sample standard deviation: sqrt(sum((x - mean)^2) / (n - 1));
//                 0 for n = 1, where `count` tells that it says nothing
//   percentile p  with the samples sorted, the value at the fractional index
//                 p / 100 * (n - 1), linearly interpolated between its two
//                 neighbours. Below 100 samples the 99th percentile is
//                 therefore a point between the two largest.
//   median        percentile 50
//   robust_sigma  1.4826 * median(|x - median|), which equals the standard
//                 deviation for normally distributed samples and ignores any
//                 minority of outliers. Zero where more than half of the
//                 samples are equal.
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

// CHECK-fails without samples and on samples that are not finite: a measurer
// that returns such is broken, and a mean of them would hide it.
Summary Summarize(absl::Span<const double> samples);

// `p` in [0, 100]. CHECK-fails without samples.
double Percentile(absl::Span<const double> samples, double p);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_SUMMARY_H_
