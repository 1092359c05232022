#include "reports/stats/summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "runtime/base/check.h"

namespace assay::stats {
namespace {

double PercentileOfSorted(const std::vector<double>& sorted, double p) {
  CHECK(!sorted.empty()) << "a percentile of no samples";
  CHECK(p >= 0 && p <= 100) << "percentile " << p;
  const double index = p / 100 * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(std::floor(index));
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const double fraction = index - static_cast<double>(below);
  return sorted[below] + fraction * (sorted[above] - sorted[below]);
}

std::vector<double> Sorted(absl::Span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

double MedianAbsoluteDeviation(absl::Span<const double> samples,
                               double median) {
  std::vector<double> deviations;
  deviations.reserve(samples.size());
  for (const double x : samples) deviations.push_back(std::abs(x - median));
  return Percentile(deviations, 50);
}

}  // namespace

bool operator==(const Summary& a, const Summary& b) {
  return a.count == b.count && a.mean == b.mean && a.std == b.std &&
         a.min == b.min && a.median == b.median && a.p99 == b.p99 &&
         a.max == b.max && a.robust_sigma == b.robust_sigma;
}

Summary Summarize(absl::Span<const double> samples) {
  CHECK(!samples.empty()) << "a summary of no samples";
  for (const double x : samples) CHECK(std::isfinite(x)) << "sample " << x;

  const std::vector<double> sorted = Sorted(samples);
  Summary summary;
  summary.count = static_cast<int64_t>(samples.size());
  double sum = 0;
  for (const double x : sorted) sum += x;
  summary.mean = sum / static_cast<double>(summary.count);
  double squares = 0;
  for (const double x : sorted) {
    squares += (x - summary.mean) * (x - summary.mean);
  }
  if (summary.count > 1) {
    summary.std = std::sqrt(squares / static_cast<double>(summary.count - 1));
  }
  summary.min = sorted.front();
  summary.median = PercentileOfSorted(sorted, 50);
  summary.p99 = PercentileOfSorted(sorted, 99);
  summary.max = sorted.back();
  // 1 / quantile(0.75) of the standard normal distribution: the ratio of the
  // standard deviation to the median absolute deviation.
  constexpr double kNormalConsistency = 1.4826;
  summary.robust_sigma =
      kNormalConsistency * MedianAbsoluteDeviation(sorted, summary.median);
  return summary;
}

double Percentile(absl::Span<const double> samples, double p) {
  return PercentileOfSorted(Sorted(samples), p);
}

double Median(absl::Span<const double> samples) {
  CHECK(!samples.empty()) << "a median of no samples";
  std::vector<double> values(samples.begin(), samples.end());
  const auto half =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  if (values.size() % 2 == 1) return *half;
  return (*std::max_element(values.begin(), half) + *half) / 2;
}

}  // namespace assay::stats
