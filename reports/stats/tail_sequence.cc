#include "reports/stats/tail_sequence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>

#include "absl/strings/str_format.h"
#include "runtime/base/check.h"

namespace assay::stats {
namespace {

// Returns log(exp(x) / cosh(x)) without overflow.
double LogBet(double x) {
  return std::log(2.0) + std::min(2 * x, 0.0) -
         std::log1p(std::exp(-2 * std::abs(x)));
}

double LogMeanExp(const std::vector<double>& logs) {
  const double largest = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double x : logs) sum += std::exp(x - largest);
  return largest + std::log(sum / static_cast<double>(logs.size()));
}

}  // namespace

bool operator==(const TailEvidence& a, const TailEvidence& b) {
  return a.inferences == b.inferences && a.log_e == b.log_e &&
         a.base_slow == b.base_slow && a.run_slow == b.run_slow &&
         a.threshold == b.threshold;
}

std::string Describe(const TailEvidence& evidence) {
  return absl::StrFormat(
      "the tail is slower: %d of %d inferences took more than %.2f times the "
      "typical time, against %d of the other program",
      evidence.run_slow, evidence.inferences, evidence.threshold,
      evidence.base_slow);
}

void TailSequence::Add(absl::Span<const double> base,
                       absl::Span<const double> run) {
  CHECK_EQ(base.size(), run.size());
  if (base.empty()) return;
  std::vector<double> load(base.begin(), base.end());
  load.insert(load.end(), run.begin(), run.end());
  std::sort(load.begin(), load.end());
  CHECK(load.front() > 0) << "time " << load.front();
  const double median = (load[load.size() / 2 - 1] + load[load.size() / 2]) / 2;
  for (double& x : load) x /= median;
  std::vector<double> all;
  all.reserve(divided_.size() + load.size());
  std::merge(divided_.begin(), divided_.end(), load.begin(), load.end(),
             std::back_inserter(all));
  divided_ = std::move(all);
  inferences_ += static_cast<int64_t>(base.size());
  for (size_t i = 0; i < levels_.size(); ++i) {
    Level& level = levels_[i];
    const auto rank = static_cast<size_t>(
        kTailLevels[i] * static_cast<double>(divided_.size() - 1));
    level.threshold = std::max(kLeastThreshold, divided_[rank]);
    const auto slow = [&](absl::Span<const double> times) -> int64_t {
      return std::count_if(times.begin(), times.end(), [&](double x) {
        return x / median > level.threshold;
      });
    };
    const int64_t base_slow = slow(base), run_slow = slow(run);
    level.base_slow += base_slow;
    level.run_slow += run_slow;
    for (size_t k = 0; k < kRates.size(); ++k) {
      const auto difference = static_cast<double>(run_slow - base_slow);
      // Without a difference, LogBet() is 0 up to rounding.
      if (difference != 0) level.log_e[k] += LogBet(kRates[k] * difference);
    }
  }
}

TailEvidence TailSequence::Evidence() const {
  TailEvidence evidence;
  if (inferences_ == 0) return evidence;
  evidence.inferences = inferences_;
  std::vector<double> all;
  double most = -std::numeric_limits<double>::infinity();
  for (const Level& level : levels_) {
    const std::vector<double> logs(level.log_e.begin(), level.log_e.end());
    all.insert(all.end(), logs.begin(), logs.end());
    const double log_e = LogMeanExp(logs);
    if (log_e <= most) continue;
    most = log_e;
    evidence.base_slow = level.base_slow;
    evidence.run_slow = level.run_slow;
    evidence.threshold = level.threshold;
  }
  evidence.log_e = LogMeanExp(all);
  return evidence;
}

}  // namespace assay::stats
