#include "suites/tune/apply_tuning.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/tune/task/tasks.h"
#include "runtime/base/status_macros.h"
#include "suites/tune/current_task.h"
#include "suites/tune/log/best_records.h"
#include "suites/tune/measured_layouts.h"

namespace assay::suites {
namespace {

std::string PlaceText(const TuningPlace& place) {
  return absl::StrCat("device `", place.device, "` with ", place.threads,
                      place.threads == 1 ? " thread" : " threads",
                      " and target `", place.target, "`");
}

absl::Status NoRecords(const Log& log, const TuningPlace& wanted) {
  std::set<TuningPlace> places;
  for (const TuningRecord& record : log.records) {
    places.insert(PlaceOf(record));
  }
  const std::string there =
      places.empty()
          ? "is empty"
          : absl::StrCat("has records of ",
                         absl::StrJoin(places, ", and of ",
                                       [](std::string* out, const auto& p) {
                                         out->append(PlaceText(p));
                                       }));
  return absl::InvalidArgumentError(
      absl::StrCat("the tuning log `", log.path, "` has no records of ",
                   PlaceText(wanted), "; it ", there));
}

// Returns the current tasks of the model that the log has records of.
absl::StatusOr<CurrentTasks> TasksWithRecords(
    const std::vector<tune::Task>& tasks, const target::Target& target,
    const std::set<std::string>& recorded) {
  CurrentTasks current;
  for (const tune::Task& task : tasks) {
    if (recorded.count(task.key) == 0) continue;
    ASSAY_ASSIGN_OR_RETURN(current[task.key],
                           CurrentTaskOf(*task.kernel, target));
  }
  return current;
}

}  // namespace

absl::StatusOr<TuningSummary> ApplyTuning(
    const Log& log, const graph::Graph& model, const target::Target& target,
    const std::string& device, int threads, driver::CompileOptions* options) {
  const TuningPlace place = {target.ToString(), device, threads};
  std::set<std::string> recorded;  // tasks
  for (const TuningRecord& record : log.records) {
    if (PlaceOf(record) == place) recorded.insert(record.task);
  }
  if (recorded.empty()) return NoRecords(log, place);
  ASSAY_ASSIGN_OR_RETURN(
      const std::vector<tune::Task> tasks,
      tune::ExtractTasks(model, target, *options, tune::LayoutChoices::kAll));
  ASSAY_ASSIGN_OR_RETURN(const CurrentTasks current,
                         TasksWithRecords(tasks, target, recorded));
  const BestRecords best =
      FindBestRecords(log.records, place, current, log.networks);
  TuningSummary summary;
  summary.tasks = static_cast<int>(tasks.size());
  summary.tasks_with_records = static_cast<int>(best.tasks.size());
  for (const auto& [key, found] : best.tasks) {
    const JudgedPoint* accepted = found.accepted();
    if (accepted == nullptr) continue;
    options->tuned[key] = accepted->point;
    ++summary.accepted_points;
  }
  std::optional<ops::LayoutTimes> times =
      MeasuredLayoutTimes(tasks, best, target);
  summary.measured_layouts = times.has_value();
  if (times.has_value()) options->layout_times = *std::move(times);
  summary.remarks = Describe(best.unused);
  if (!log.damaged.empty()) {
    const bool one = log.damaged.size() == 1;
    summary.remarks.push_back(absl::StrCat(
        log.damaged.size(), one ? " line" : " lines", " of the log `", log.path,
        "` ", one ? "is no record" : "are no records"));
  }
  return summary;
}

}  // namespace assay::suites
