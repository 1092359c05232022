#include "suites/tune/replay/measured_space.h"

#include <algorithm>

#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::Status MeasuredSpace::Add(const TuningRecord& record) {
  if (record.verdict.has_value() || record.status == TrialStatus::kDeviceLost) {
    return absl::OkStatus();
  }
  ASSAY_ASSIGN_OR_RETURN(const int64_t point,
                         space_.IndexOf(record.implementation, record.config));
  std::vector<double>& times = times_[point];
  if (record.status == TrialStatus::kOk) {
    times.push_back(RelativeTime(record));
  }
  return absl::OkStatus();
}

std::optional<double> MeasuredSpace::Time(int64_t point) const {
  const auto found = times_.find(point);
  if (found == times_.end() || found->second.empty()) return std::nullopt;
  std::vector<double> times = found->second;
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

std::optional<double> MeasuredSpace::Trial(int64_t point, Rng& rng) const {
  const auto found = times_.find(point);
  if (found == times_.end() || found->second.empty()) return std::nullopt;
  const auto last = static_cast<int64_t>(found->second.size()) - 1;
  return found->second[static_cast<size_t>(rng.UniformInt(0, last))];
}

std::optional<double> MeasuredSpace::Best() const {
  // By the number of trials: one, or more.
  std::optional<double> best[2];
  for (const auto& [point, times] : times_) {
    if (times.empty()) continue;
    std::optional<double>& smallest = best[times.size() > 1 ? 1 : 0];
    const double time = *Time(point);
    smallest = std::min(smallest.value_or(time), time);
  }
  return best[1].has_value() ? best[1] : best[0];
}

std::vector<tune::Measured> MeasuredSpace::Results() const {
  std::vector<tune::Measured> results;
  for (const auto& [point, times] : times_) {
    results.push_back({point, Time(point)});
  }
  return results;
}

}  // namespace assay::suites
