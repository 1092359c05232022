#include "suites/tune/replay/log_spaces.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "compiler/tune/task/current_task.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

absl::StatusOr<tune::SearchSpace> SpaceOf(const TuningRecord& record) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<graph::Graph> kernel,
                         tune::KernelOfWorkload(record.workload));
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         target::Target::Parse(record.target));
  return tune::SpaceOfKernel(*kernel, target);
}

}  // namespace

absl::Status MeasuredSpace::Add(const TuningRecord& record) {
  if (record.verdict.has_value() || record.status == TrialStatus::kDeviceLost) {
    return absl::OkStatus();
  }
  ASSAY_ASSIGN_OR_RETURN(const int64_t point,
                         space_.IndexOf(record.implementation, record.config));
  Times& times = times_[point];
  if (record.status == TrialStatus::kOk) {
    (record.loads > 0 ? times.finals : times.trials)
        .push_back(RelativeTime(record));
  }
  return absl::OkStatus();
}

std::optional<double> MeasuredSpace::Time(int64_t point) const {
  const auto found = times_.find(point);
  if (found == times_.end()) return std::nullopt;
  const Times& known = found->second;
  std::vector<double> times =
      known.finals.empty() ? known.trials : known.finals;
  if (times.empty()) return std::nullopt;
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

std::optional<double> MeasuredSpace::Trial(int64_t point, Rng& rng) const {
  const auto found = times_.find(point);
  if (found == times_.end()) return std::nullopt;
  const std::vector<double>& trials = found->second.trials;
  if (trials.empty()) return Time(point);
  const auto last = static_cast<int64_t>(trials.size()) - 1;
  return trials[static_cast<size_t>(rng.UniformInt(0, last))];
}

std::optional<double> MeasuredSpace::Best() const {
  // The smallest time of points that were measured once, and more than once.
  std::optional<double> once, more;
  for (const auto& [point, times] : times_) {
    const std::optional<double> time = Time(point);
    if (!time.has_value()) continue;
    std::optional<double>& smallest =
        times.trials.size() > 1 || !times.finals.empty() ? more : once;
    smallest = std::min(smallest.value_or(*time), *time);
  }
  return more.has_value() ? more : once;
}

std::vector<tune::Measured> MeasuredSpace::Results() const {
  std::vector<tune::Measured> results;
  for (const auto& [point, times] : times_) {
    results.push_back({point, Time(point)});
  }
  return results;
}

std::vector<LogSpace> SpacesOf(const std::vector<TuningRecord>& records) {
  std::vector<LogSpace> spaces;
  // Position of the space of a task, a place and a template; nullopt if the
  // space is not known.
  std::map<std::tuple<std::string, TuningPlace, std::string>,
           std::optional<size_t>>
      positions;
  for (const TuningRecord& record : records) {
    if (record.anchor.empty()) continue;
    const auto [known, is_new] = positions.try_emplace(
        std::tuple(record.task, PlaceOf(record), record.template_digest));
    std::optional<size_t>& position = known->second;
    if (is_new) {
      absl::StatusOr<tune::SearchSpace> space = SpaceOf(record);
      if (space.ok()) {
        position = spaces.size();
        spaces.push_back({record.task, record.anchor, PlaceOf(record),
                          MeasuredSpace(*std::move(space))});
      }
    }
    // The space may not have the point any more.
    if (position.has_value()) {
      spaces[*position].measured.Add(record).IgnoreError();
    }
  }
  return spaces;
}

OtherExamples::OtherExamples(const std::vector<LogSpace>& spaces) {
  for (const LogSpace& space : spaces) {
    spaces_.push_back(
        {space.task, space.place,
         tune::ExamplesOf(space.measured.space(), space.measured.Results())});
  }
}

std::vector<tune::Examples> OtherExamples::For(absl::string_view task,
                                               const TuningPlace& place) const {
  std::vector<tune::Examples> examples;
  for (const Space& space : spaces_) {
    if (space.task == task && space.place == place) continue;
    examples.push_back(space.examples);
  }
  return examples;
}

}  // namespace assay::suites
