#include "suites/harness/compiler/row_tuning.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/tune/task/tasks.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "suites/tune/apply_tuning.h"
#include "suites/tune/log/best_records.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {
namespace {

// Returns `path` itself, or the logs in the folder `path` in their order.
std::vector<std::string> FilesOf(const std::string& path) {
  std::error_code error;
  std::filesystem::directory_iterator files(path, error);
  if (error) return {path};
  std::vector<std::string> logs;
  for (const std::filesystem::directory_entry& file : files) {
    if (file.path().extension() != ".jsonl" || file.is_directory(error)) {
      continue;
    }
    logs.push_back(file.path());
  }
  std::sort(logs.begin(), logs.end());
  return logs;
}

// Does not depend on the order of the records.
std::string DigestOf(const Log& log) {
  std::vector<std::string> lines;
  for (const TuningRecord& record : log.records) {
    lines.push_back(record.ToJson());
  }
  for (const auto& network : log.networks) {
    lines.push_back(network.ToJson());
  }
  std::sort(lines.begin(), lines.end());
  return Sha256Hex(absl::StrJoin(lines, "\n")).substr(0, 16);
}

}  // namespace

absl::StatusOr<RowTuning> RowTuning::Read(const std::string& path,
                                          const std::string& name) {
  Log all;
  all.path = name;
  for (const std::string& file : FilesOf(path)) {
    ASSAY_ASSIGN_OR_RETURN(Log log, ReadLog(file));
    absl::c_move(log.records, std::back_inserter(all.records));
    absl::c_move(log.networks, std::back_inserter(all.networks));
    absl::c_move(log.damaged, std::back_inserter(all.damaged));
  }
  return RowTuning(std::move(all));
}

Log RowTuning::RecordsFor(const Place& place) const {
  return RecordsAt(log_,
                   {place.target.ToString(), place.fingerprint, place.threads});
}

absl::Status RowTuning::Check(const Place& place) const {
  if (!RecordsFor(place).records.empty()) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat(
      "`", log_.path, "` has no records of the device `", place.device, "` (",
      place.fingerprint, ") with ", place.threads,
      place.threads == 1 ? " thread" : " threads", " and the target `",
      place.target.ToString(), "`; `./bazelw run //suites:tune -- --device=",
      place.device, " --log=FILE` makes them"));
}

absl::StatusOr<AppliedTuning> RowTuning::Apply(
    const graph::Graph& model, const Place& place,
    driver::CompileOptions* options) const {
  ASSAY_RETURN_IF_ERROR(Check(place));
  const Log log = RecordsFor(place);
  ASSAY_ASSIGN_OR_RETURN(
      const TuningSummary summary,
      ApplyTuning(log, model, place.target, place.fingerprint, place.threads,
                  options));
  // With these options, layouts are those of the tuned program.
  ASSAY_ASSIGN_OR_RETURN(const std::vector<tune::Task> tasks,
                         tune::ExtractTasks(model, place.target, *options,
                                            tune::LayoutChoices::kDefault));
  int kernels = 0;
  int tuned = 0;
  for (const tune::Task& task : tasks) {
    kernels += task.calls;
    if (options->tuned.count(task.key) > 0) tuned += task.calls;
  }
  AppliedTuning applied;
  applied.digest = DigestOf(log);
  applied.remark = absl::StrCat(
      "`", log.path, "` (", log.records.size(),
      log.records.size() == 1 ? " record" : " records",
      ") has another configuration for ", tuned, " of ", kernels, " kernels");
  if (summary.measured_encodings) {
    absl::StrAppend(&applied.remark, "; layouts are chosen by measured times");
  }
  for (const std::string& remark : summary.remarks) {
    absl::StrAppend(&applied.remark, "; ", remark);
  }
  return applied;
}

}  // namespace assay::suites
