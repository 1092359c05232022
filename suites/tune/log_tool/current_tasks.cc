#include "suites/tune/log_tool/current_tasks.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "runtime/base/status_macros.h"
#include "suites/tune/current_task.h"

namespace assay::suites {
namespace {

absl::StatusOr<CurrentTask> CurrentTaskFor(const std::string& workload,
                                           const std::string& target) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target parsed,
                         target::Target::Parse(target));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<graph::Graph> kernel,
                         KernelOfWorkload(workload));
  return CurrentTaskOf(*kernel, parsed);
}

}  // namespace

KnownTasks CurrentTasksOf(const std::vector<TuningRecord>& records,
                          const TuningPlace& place) {
  std::map<std::string, std::string> workloads;  // by key
  for (const TuningRecord& record : records) {
    if (!(PlaceOf(record) == place)) continue;
    std::string& workload = workloads[record.task];
    workload = std::max(workload, record.workload);
  }
  KnownTasks known;
  for (const auto& [key, workload] : workloads) {
    absl::StatusOr<CurrentTask> task = CurrentTaskFor(workload, place.target);
    if (task.ok()) {
      known.tasks[key] = *std::move(task);
    } else {
      known.problems.push_back(
          absl::StrCat("the task `", key,
                       "` cannot be compiled: ", task.status().message()));
    }
  }
  return known;
}

}  // namespace assay::suites
