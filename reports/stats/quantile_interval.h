// QuantileInterval: a quantile, such as the 99th percentile of latencies, with
// a distribution-free confidence interval.
//
// The number of samples below the p-quantile q of their distribution is at most
// that of Binomial(n, p), and the number of samples that are at most q is at
// least that. Hence, for order statistics x(1) <= ... <= x(n),
//   P(q < x(l)) <= P(Binomial(n, p) <= l - 1) and
//   P(q > x(u)) <= P(Binomial(n, p) >= u).
// The interval is [x(l), x(u)] for the largest l and the smallest u for which
// each bound is at most (1 - level) / 2. sign_interval.h is the special case
// p = 1/2.
//
// High quantiles need many samples: x(n) bounds the quantile from above only if
// p^n <= (1 - level) / 2. For a level of 95 %, the 90th percentile needs 36
// samples, and the 99th needs 368. With fewer samples, the upper bound is
// infinite, and the largest sample must not be taken for the quantile.
//
// The samples must be independent, and their number must not depend on them.
// Latencies of a server are not independent: a query that has to wait makes the
// next one wait. SeriesQuantile() estimates from the order of the samples how
// many independent samples are worth as much, and uses this number instead
// of n: with b blocks of m consecutive samples, the share of samples above the
// quantile varies from block to block by a variance v, which would be
// p (1 - p) / m for independent samples. The number is n p (1 - p) / (m v), at
// most n (Heidelberger and Lewis, "Quantile estimation in dependent sequences",
// Operations Research 32, 1984). Blocks must be longer than the correlation
// lasts.
#ifndef ASSAY_REPORTS_STATS_QUANTILE_INTERVAL_H_
#define ASSAY_REPORTS_STATS_QUANTILE_INTERVAL_H_

#include <cstdint>
#include <limits>

#include "absl/types/span.h"

namespace assay::stats {

// Confidence level of the intervals of percentiles in reports.
constexpr double kQuantileLevel = 0.95;

struct QuantileInterval {
  int64_t count = 0;
  // Number of independent samples that are worth as much; `count` unless the
  // samples were treated as a series.
  double effective_count = 0;
  double value = 0;  // the percentile of the samples, as in summary.h
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  // Returns false if there were too few samples for an upper bound. `value` is
  // then little more than the largest sample.
  bool bounded() const {
    return upper < std::numeric_limits<double>::infinity();
  }
};

// Ranks of the bounds, counted from 1.
struct QuantileRanks {
  int64_t lower = 0;  // 0 if there is no lower bound
  int64_t upper = 0;  // count + 1 if there is no upper bound
};
// Requires p and level in (0, 1).
QuantileRanks RanksOfQuantile(int64_t count, double p, double level);

// Returns the smallest number of samples with an upper bound.
int64_t SamplesForUpperBound(double p, double level);

// Treats the samples as independent. CHECK-fails if there are no samples or a
// sample is NaN; samples may be infinite. `value` is a sample then.
QuantileInterval IntervalOfQuantile(absl::Span<const double> samples, double p,
                                    double level = kQuantileLevel);

// Treats the samples as a series in this order. With fewer than
// kMinSeriesSamples samples, the correlation cannot be estimated, and the
// samples are treated as independent.
constexpr int64_t kMinSeriesSamples = 400;
QuantileInterval SeriesQuantile(absl::Span<const double> samples, double p,
                                double level = kQuantileLevel);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_QUANTILE_INTERVAL_H_
