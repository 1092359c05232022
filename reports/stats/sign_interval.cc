#include "reports/stats/sign_interval.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "reports/stats/binomial.h"
#include "runtime/base/check.h"

namespace assay::stats {

int64_t SignIntervalRank(int64_t count, double level) {
  CHECK_GE(count, 0);
  CHECK(level > 0 && level < 1) << "level " << level;
  const double tail = (1 - level) / 2;
  int64_t fits = 0;
  int64_t fails = count / 2 + 1;  // above count / 2 the tails overlap
  while (fails - fits > 1) {
    const int64_t k = (fits + fails) / 2;
    (BinomialCdf(k - 1, count, 0.5) <= tail ? fits : fails) = k;
  }
  return fits;
}

MedianInterval SignInterval(absl::Span<const double> samples, double level) {
  CHECK(!samples.empty()) << "an interval from no samples";
  std::vector<double> sorted(samples.begin(), samples.end());
  for (const double x : sorted) CHECK(!std::isnan(x)) << "a sample is nan";
  std::sort(sorted.begin(), sorted.end());

  const size_t n = sorted.size();
  MedianInterval result;
  result.count = static_cast<int64_t>(n);
  result.median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  const int64_t rank = SignIntervalRank(result.count, level);
  if (rank == 0) return result;
  result.lower = sorted[static_cast<size_t>(rank) - 1];
  result.upper = sorted[n - static_cast<size_t>(rank)];
  result.coverage = 1 - 2 * BinomialCdf(rank - 1, result.count, 0.5);
  return result;
}

}  // namespace assay::stats
