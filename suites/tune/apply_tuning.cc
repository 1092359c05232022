#include "suites/tune/apply_tuning.h"

#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "suites/tune/measured_encodings.h"

namespace assay::suites {
absl::StatusOr<TuningSummary> ApplyTuning(
    const Log& log, const graph::Graph& model, const target::Target& target,
    const std::string& device, int threads, driver::CompileOptions* options) {
  const TuningPlace place = {target.ToString(), device, threads};
  std::set<std::string> recorded;  // tasks
  for (const TuningRecord& record : log.records) {
    if (PlaceOf(record) == place) recorded.insert(record.task);
  }
  CHECK(!recorded.empty()) << "no records of " << ToString(place);
  ASSAY_ASSIGN_OR_RETURN(
      std::vector<tune::Task> tasks,
      tune::ExtractTasks(model, target, *options, tune::LayoutChoices::kAll));
  TuningSummary summary;
  for (tune::Task& task : tasks) {
    if (recorded.count(task.key) == 0) continue;
    ASSAY_ASSIGN_OR_RETURN(summary.current[task.key],
                           tune::CurrentTaskOf(*task.kernel, target));
    summary.tasks.push_back(std::move(task));
  }
  summary.best =
      FindBestRecords(log.records, place, summary.current, log.networks);
  for (const auto& [key, found] : summary.best.tasks) {
    const JudgedPoint* accepted = found.accepted();
    if (accepted != nullptr) options->tuned[key] = accepted->point;
  }
  std::optional<ops::EncodingTimes> times =
      MeasuredEncodingTimes(summary.tasks, summary.best, target);
  summary.measured_encodings = times.has_value();
  if (times.has_value()) options->encoding_times = *std::move(times);
  summary.remarks = Describe(summary.best.unused);
  if (!log.damaged.empty()) {
    const bool one = log.damaged.size() == 1;
    summary.remarks.push_back(absl::StrCat(
        log.damaged.size(), one ? " line" : " lines", " of the log `", log.path,
        "` ", one ? "is no record" : "are no records"));
  }
  return summary;
}

}  // namespace assay::suites
