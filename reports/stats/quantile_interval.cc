#include "reports/stats/quantile_interval.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "reports/stats/binomial.h"
#include "runtime/base/check.h"

namespace assay::stats {
namespace {

constexpr size_t kBlocks = 40;

// The percentile of sorted samples. Does not interpolate beside an infinite
// sample, which would give NaN.
double PercentileOf(const std::vector<double>& sorted, double p) {
  const double index = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(index);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const double fraction = index - static_cast<double>(below);
  if (fraction == 0 || sorted[below] == sorted[above]) return sorted[below];
  if (std::isinf(sorted[above])) return sorted[above];
  return sorted[below] + fraction * (sorted[above] - sorted[below]);
}

// Returns how many independent samples are worth as much as the samples of the
// series.
double EffectiveCount(absl::Span<const double> samples, double p,
                      double value) {
  const size_t length = samples.size() / kBlocks;
  double sum = 0, squares = 0;
  for (size_t block = 0; block < kBlocks; ++block) {
    double above = 0;
    for (size_t i = 0; i < length; ++i) {
      above += samples[block * length + i] > value ? 1 : 0;
    }
    sum += above;
    squares += above * above;
  }
  const double blocks = kBlocks;
  const double variance = (squares - sum * sum / blocks) / (blocks - 1);
  const double independent = static_cast<double>(length) * p * (1 - p);
  const auto count = static_cast<double>(samples.size());
  return std::max(1.0, count * std::min(1.0, independent / variance));
}

QuantileInterval Interval(absl::Span<const double> samples, double p,
                          double level, bool is_series) {
  CHECK(!samples.empty()) << "a quantile of no samples";
  std::vector<double> sorted(samples.begin(), samples.end());
  for (const double x : sorted) CHECK(!std::isnan(x)) << "a sample is nan";
  std::sort(sorted.begin(), sorted.end());
  QuantileInterval result;
  result.count = static_cast<int64_t>(sorted.size());
  result.value = PercentileOf(sorted, p);
  const auto count = static_cast<double>(result.count);
  result.effective_count = count;
  if (is_series && result.count >= kMinSeriesSamples) {
    result.effective_count = EffectiveCount(samples, p, result.value);
  }
  const auto effective = static_cast<int64_t>(result.effective_count);
  const QuantileRanks ranks = RanksOfQuantile(effective, p, level);
  // Ranks among fewer samples stand for ranks further out among all.
  const double scale = count / static_cast<double>(effective);
  const auto lower = static_cast<int64_t>(
      std::floor(static_cast<double>(ranks.lower) * scale));
  if (ranks.lower > 0) {
    result.lower = sorted[static_cast<size_t>(std::max<int64_t>(lower, 1) - 1)];
  }
  if (ranks.upper <= effective) {
    const auto upper = static_cast<int64_t>(
        std::ceil(static_cast<double>(ranks.upper) * scale));
    result.upper =
        sorted[static_cast<size_t>(std::min(upper, result.count) - 1)];
  }
  return result;
}

}  // namespace

QuantileRanks RanksOfQuantile(int64_t count, double p, double level) {
  CHECK_GE(count, 0);
  CHECK(p > 0 && p < 1) << "p = " << p;
  CHECK(level > 0 && level < 1) << "level " << level;
  const double tail = (1 - level) / 2;
  QuantileRanks ranks;
  // The largest l with P(X <= l - 1) <= tail.
  int64_t fits = 0, fails = count + 1;
  while (fails - fits > 1) {
    const int64_t k = fits + (fails - fits) / 2;
    (BinomialCdf(k - 1, count, p) <= tail ? fits : fails) = k;
  }
  ranks.lower = fits;
  // The smallest u with P(X >= u) <= tail, i.e. P(n - X <= n - u) <= tail.
  fits = count + 1, fails = 0;
  while (fits - fails > 1) {
    const int64_t k = fails + (fits - fails) / 2;
    (BinomialCdf(count - k, count, 1 - p) <= tail ? fits : fails) = k;
  }
  ranks.upper = fits;
  return ranks;
}

int64_t SamplesForUpperBound(double p, double level) {
  CHECK(p > 0 && p < 1) << "p = " << p;
  CHECK(level > 0 && level < 1) << "level " << level;
  return static_cast<int64_t>(
      std::ceil(std::log((1 - level) / 2) / std::log(p)));
}

QuantileInterval IntervalOfQuantile(absl::Span<const double> samples, double p,
                                    double level) {
  return Interval(samples, p, level, /*is_series=*/false);
}

QuantileInterval SeriesQuantile(absl::Span<const double> samples, double p,
                                double level) {
  return Interval(samples, p, level, /*is_series=*/true);
}

}  // namespace assay::stats
