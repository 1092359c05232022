#include "reports/stats/false_discovery.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "runtime/base/check.h"

namespace assay::stats {
namespace {

double LogThreshold(size_t cells, double fdr, size_t rank) {
  return std::log(static_cast<double>(cells) /
                  (fdr * static_cast<double>(rank)));
}

size_t CountDiscoveries(absl::Span<const double> log_e_values, double fdr) {
  CHECK(fdr > 0 && fdr < 1) << "false discovery rate " << fdr;
  std::vector<double> sorted(log_e_values.begin(), log_e_values.end());
  for (const double log_e : sorted) CHECK(!std::isnan(log_e));
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  for (size_t rank = sorted.size(); rank > 0; --rank) {
    if (sorted[rank - 1] >= LogThreshold(sorted.size(), fdr, rank)) {
      return rank;
    }
  }
  return 0;
}

}  // namespace

std::vector<bool> Discoveries(absl::Span<const double> log_e_values,
                              double fdr) {
  const size_t count = CountDiscoveries(log_e_values, fdr);
  std::vector<bool> result(log_e_values.size(), false);
  if (count == 0) return result;
  // Exactly `count` cells reach the threshold: with one more, a higher rank
  // would have satisfied its (lower) threshold.
  const double threshold = LogThreshold(result.size(), fdr, count);
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = log_e_values[i] >= threshold;
  }
  return result;
}

double LogEValueForOneOf(int64_t cells, double fdr) {
  return std::log(2 * static_cast<double>(cells) / fdr);
}

}  // namespace assay::stats
