#include "suites/tune/search/task_search.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/complete_text.h"
#include "reports/stats/summary.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "runtime/base/utc_now.h"

namespace assay::suites {

bool IsOfSameSearch(const TuningRecord& a, const TuningRecord& b) {
  return a.task == b.task && a.target == b.target && a.device == b.device &&
         a.threads == b.threads && a.template_digest == b.template_digest &&
         a.tuner == b.tuner && a.seed == b.seed;
}

absl::Status LostTooOften(absl::string_view error) {
  return absl::UnavailableError(
      absl::StrCat("the device was lost ", kMaxDevicesLost,
                   " times in a row while it measured one point: ", error));
}

TaskSearch::TaskSearch(SearchSetup setup, TuningRecord header,
                       tune::Tuner* tuner)
    : setup_(std::move(setup)),
      header_(std::move(header)),
      tuner_(*tuner),
      graph_(graph::ToCompleteText(*setup_.program->graph)) {}

TuningRecord TaskSearch::RecordOf(int64_t point) const {
  TuningRecord record = header_;
  driver::TunedKernel choice = setup_.space->At(point);
  record.implementation = std::move(choice.implementation);
  record.config = std::move(choice.config);
  const auto known = known_.find(point);
  if (known != known_.end()) record.code_digest = known->second.code_digest;
  return record;
}

std::future<absl::StatusOr<BuiltPoint>> TaskSearch::StartBuild(
    int64_t point) const {
  return setup_.builders->Build(
      {header_.task, setup_.target, setup_.space->At(point), graph_});
}

absl::StatusOr<std::vector<BuiltPoint>> TaskSearch::Build(
    absl::Span<const int64_t> points) const {
  std::vector<std::future<absl::StatusOr<BuiltPoint>>> builds;
  for (const int64_t point : points) builds.push_back(StartBuild(point));
  // Builds would disturb what the caller measures next.
  for (const auto& build : builds) build.wait();
  std::vector<BuiltPoint> built;
  for (auto& build : builds) {
    ASSAY_ASSIGN_OR_RETURN(BuiltPoint point, build.get());
    built.push_back(std::move(point));
  }
  return built;
}

// Takes the result of a trial into account.
void TaskSearch::Learn(int64_t point, const TuningRecord& record) {
  Known& known = known_[point];
  known.code_digest = record.code_digest;
  if (!record.code_digest.empty()) {
    by_code_.try_emplace(record.code_digest, record);
  }
  const bool ok = record.status == TrialStatus::kOk;
  const double relative = ok ? RelativeTime(record) : 0;
  if (ok) known.relatives.push_back(relative);
  const int64_t before = tuner_.num_results();
  tuner_.Update({point, ok ? std::optional<double>(relative) : std::nullopt});
  if (tuner_.num_results() == before) return;  // measured again
  ++since_best_;
  if (ok && relative < best_ * (1 - kPlateauGain)) {
    best_ = relative;
    since_best_ = 0;
  }
}

int64_t TaskSearch::Replay(const std::vector<TuningRecord>& records) {
  int64_t count = 0;
  for (const TuningRecord& record : records) {
    if (!IsOfSameSearch(record, header_) || record.verdict.has_value() ||
        record.loads > 0 || record.status == TrialStatus::kDeviceLost) {
      continue;
    }
    const auto point =
        setup_.space->IndexOf(record.implementation, record.config);
    if (!point.ok()) continue;  // of another space
    // The default point is tried again: nothing can be measured without it.
    if (*point == setup_.space->default_point() &&
        record.status != TrialStatus::kOk) {
      continue;
    }
    Learn(*point, record);
    ++count;
  }
  return count;
}

bool TaskSearch::IsOver(const SearchLimits& limits) const {
  return num_trials() >= limits.trials || tuner_.exhausted() ||
         (limits.plateau > 0 && since_best_ >= limits.plateau) ||
         MonotonicNanos() >= limits.deadline;
}

// Returns the record of a trial, which may have failed.
absl::StatusOr<TuningRecord> TaskSearch::Measure(int64_t point,
                                                 const BuiltPoint& built) {
  TuningRecord record = RecordOf(point);
  record.code_digest = built.code_digest;
  const auto equal = by_code_.find(built.code_digest);
  if (built.status != TrialStatus::kOk) {
    record.status = built.status;
    record.error = built.error;
  } else if (equal != by_code_.end()) {
    record.status = equal->second.status;
    record.samples_ns = equal->second.samples_ns;
    record.default_ns = equal->second.default_ns;
    record.max_error = equal->second.max_error;
    record.error = equal->second.error;
  } else {
    record = setup_.trials->Run(built.artifact, record);
  }
  record.time = UtcNow();
  ASSAY_RETURN_IF_ERROR(setup_.append(record));
  return record;
}

absl::Status TaskSearch::Try(int64_t point, const BuiltPoint& built) {
  TuningRecord record;
  for (int lost = 0; lost < kMaxDevicesLost; ++lost) {
    ASSAY_ASSIGN_OR_RETURN(record, Measure(point, built));
    if (record.status != TrialStatus::kDeviceLost) {
      Learn(point, record);
      return absl::OkStatus();
    }
  }
  return LostTooOften(record.error);
}

absl::Status TaskSearch::MeasureDefault() {
  const int64_t point = setup_.space->default_point();
  ASSAY_ASSIGN_OR_RETURN(BuiltPoint built, StartBuild(point).get());
  TuningRecord record = RecordOf(point);
  record.code_digest = built.code_digest;
  record.status = built.status;
  record.error = built.error;
  if (built.status == TrialStatus::kOk) {
    default_ = std::move(built.artifact);
    const TuningRecord header = record;
    for (int lost = 0; lost < kMaxDevicesLost; ++lost) {
      record = setup_.trials->RunDefault(default_, header);
      if (record.status != TrialStatus::kDeviceLost) break;
    }
  }
  record.time = UtcNow();
  const bool failed = record.status != TrialStatus::kOk;
  if (!failed && known_.count(point) > 0) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(setup_.append(record));
  if (failed) {
    return absl::InternalError(absl::StrCat("the default point failed: `",
                                            TrialStatusName(record.status),
                                            "`: ", record.error));
  }
  Learn(point, record);
  return absl::OkStatus();
}

// Starts builds of the next points of the tuner.
void TaskSearch::BuildAhead(const SearchLimits& limits) {
  const auto pending = static_cast<int64_t>(pending_.size());
  const int64_t count = std::min<int64_t>(
      setup_.ahead - pending, limits.trials - num_trials() - pending);
  if (count <= 0) return;
  for (const int64_t point : tuner_.Next(static_cast<int>(count))) {
    pending_.push_back({point, StartBuild(point)});
  }
}

absl::Status TaskSearch::Run(const SearchLimits& limits) {
  ASSAY_RETURN_IF_ERROR(MeasureDefault());
  for (const int64_t point : setup_.first) {
    if (known_.count(point) > 0 || IsOver(limits)) continue;
    ASSAY_ASSIGN_OR_RETURN(const BuiltPoint built, StartBuild(point).get());
    ASSAY_RETURN_IF_ERROR(Try(point, built));
  }
  // Builds would disturb what the caller measures next.
  const absl::Cleanup wait = [this] {
    for (Pending& pending : pending_) pending.built.wait();
    pending_.clear();
  };
  while (!IsOver(limits)) {
    if (setup_.overlap || pending_.empty()) BuildAhead(limits);
    if (pending_.empty()) break;
    if (!setup_.overlap) {
      for (Pending& pending : pending_) pending.built.wait();
    }
    const int64_t point = pending_.front().point;
    const absl::StatusOr<BuiltPoint> built = pending_.front().built.get();
    pending_.pop_front();
    ASSAY_RETURN_IF_ERROR(built.status());
    ASSAY_RETURN_IF_ERROR(Try(point, *built));
  }
  return absl::OkStatus();
}

std::vector<TaskSearch::RankedPoint> TaskSearch::Ranking(size_t count) const {
  std::vector<RankedPoint> all;
  for (const auto& [point, known] : known_) {
    if (known.relatives.empty()) continue;
    all.push_back({point, stats::Median(known.relatives)});
  }
  std::sort(
      all.begin(), all.end(), [](const RankedPoint& a, const RankedPoint& b) {
        return std::pair(a.relative, a.point) < std::pair(b.relative, b.point);
      });
  std::vector<RankedPoint> ranking;
  std::set<std::string> codes;
  for (const RankedPoint& ranked : all) {
    if (ranking.size() == count) break;
    const std::string& code = known_.at(ranked.point).code_digest;
    if (codes.insert(code).second) ranking.push_back(ranked);
  }
  return ranking;
}

}  // namespace assay::suites
