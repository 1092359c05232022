// TuneTasks: tunes the tasks of a model on one device, or on several devices of
// a kind at the same time.
//
// Each device tunes a task from its beginning to its end, and then takes the
// next one, so that the points of a task are measured on one device. If the
// time of the run is limited, each task gets an equal part of what is left.
#ifndef ASSAY_SUITES_TUNE_SEARCH_TUNING_RUN_H_
#define ASSAY_SUITES_TUNE_SEARCH_TUNING_RUN_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "compiler/target/target.h"
#include "compiler/tune/space/search_space.h"
#include "compiler/tune/task/tasks.h"
#include "suites/tune/build/build_pool.h"
#include "suites/tune/log/tuning_record.h"
#include "suites/tune/search/tune_task.h"

namespace assay::suites {

struct PlannedTask {
  tune::Task task;
  tune::SearchSpace space;
};

// Returns the tasks with an anchor in the order in which they are tuned: those
// that take most of the network's time, according to the cost model, come
// first, and those with other layouts than the cost model chooses come last. Of
// tasks that leave nothing to choose, such as conversions of layouts, only the
// default point is measured: layouts are compared by its time, too.
std::vector<PlannedTask> PlanTasks(std::vector<tune::Task> tasks,
                                   const target::Target& target);

// Called when a task begins and ends, for each record, and for each record of
// an earlier run that is not repeated. If there are several
// devices, `device` is the index of the one that tunes the task, and the
// functions are called by several threads, one at a time.
struct TuningEvents {
  std::function<void(int device, const PlannedTask&)> start;
  std::function<void(int device, const TuningRecord&)> record;
  std::function<void(int device, const TuningRecord&)> replay;
  std::function<void(int device, const absl::Status&)> finish;
};

struct RunLimits {
  double seconds = 0;  // of the whole run; 0 stands for no limit
};

// Tunes `tasks`. A task that fails, for example because its default point
// cannot be built, does not end the run; an error of the log or of all devices
// does. `options.limits.deadline` is set for each task.
absl::Status TuneTasks(const std::vector<PlannedTask>& tasks,
                       const std::vector<TuningDevice>& devices,
                       const TaskOptions& options, const RunLimits& limits,
                       BuildPool* builders, const TuningLog& log,
                       const TuningEvents& events);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_TUNING_RUN_H_
