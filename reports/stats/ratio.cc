#include "reports/stats/ratio.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "reports/stats/sign_interval.h"
#include "runtime/base/check.h"

namespace assay::stats {

bool operator==(const Ratio& a, const Ratio& b) {
  return a.value == b.value && a.lower == b.lower && a.upper == b.upper;
}

bool Distinguishable(const Ratio& ratio) {
  return ratio.lower > 1 || ratio.upper < 1;
}

std::vector<double> LogSpeedRatios(absl::Span<const double> ours_ns,
                                   absl::Span<const double> other_ns) {
  CHECK_EQ(ours_ns.size(), other_ns.size());
  std::vector<double> ratios;
  ratios.reserve(ours_ns.size());
  for (size_t i = 0; i < ours_ns.size(); ++i) {
    ratios.push_back(std::log(other_ns[i] / ours_ns[i]));
  }
  return ratios;
}

Ratio SpeedRatio(absl::Span<const double> ours_ns,
                 absl::Span<const double> other_ns) {
  return GeometricMeanRatio({LogSpeedRatios(ours_ns, other_ns)});
}

Ratio GeometricMeanRatio(absl::Span<const std::vector<double>> problems) {
  CHECK(!problems.empty()) << "a mean of no problems";
  size_t rounds = problems[0].size();
  for (const std::vector<double>& problem : problems) {
    rounds = std::min(rounds, problem.size());
  }
  std::vector<double> means(rounds);
  for (const std::vector<double>& problem : problems) {
    for (size_t i = 0; i < rounds; ++i) {
      means[i] += problem[i] / static_cast<double>(problems.size());
    }
  }
  const MedianInterval interval = SignInterval(means, kRatioLevel);
  return {std::exp(interval.median), std::exp(interval.lower),
          std::exp(interval.upper)};
}

}  // namespace assay::stats
