// CurrentTasksOf: the tasks of a log, as this version of the compiler has them
// (suites/tune/current_task.h). No model is needed: the workload of a record
// describes its kernel.
#ifndef ASSAY_SUITES_TUNE_LOG_TOOL_CURRENT_TASKS_H_
#define ASSAY_SUITES_TUNE_LOG_TOOL_CURRENT_TASKS_H_

#include <string>
#include <vector>

#include "suites/tune/log/best_records.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

struct KnownTasks {
  CurrentTasks tasks;
  // A sentence for each task, with its key, that this compiler cannot compile
  // for the target. It is not in `tasks`.
  std::vector<std::string> problems;
};

// Returns the tasks of the records that were measured at `place`.
KnownTasks CurrentTasksOf(const std::vector<TuningRecord>& records,
                          const TuningPlace& place);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_TOOL_CURRENT_TASKS_H_
