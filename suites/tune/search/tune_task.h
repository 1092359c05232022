// TuneTasks: tunes the tasks of a model. TuneTask: tunes one of them on one
// device: search, finalists, and acceptance (compiler/docs/tuning.md).
#ifndef ASSAY_SUITES_TUNE_SEARCH_TUNE_TASK_H_
#define ASSAY_SUITES_TUNE_SEARCH_TUNE_TASK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/target/target.h"
#include "compiler/tune/space/search_space.h"
#include "compiler/tune/task/tasks.h"
#include "runtime/measure/session.h"
#include "suites/tune/build/build_pool.h"
#include "suites/tune/log/autotvm_hints.h"
#include "suites/tune/log/tuning_record.h"
#include "suites/tune/progress/tuning_progress.h"
#include "suites/tune/replay/log_spaces.h"
#include "suites/tune/search/acceptance.h"
#include "suites/tune/search/task_search.h"
#include "suites/tune/search/trial.h"

namespace assay::suites {

// A device on which tasks are tuned, one after the other.
struct TuningDevice {
  target::Target target;  // resolved, with the number of cores
  int threads = 1;
  // Runs the trials. If this is the machine of the compiler, the runner should
  // use another process, because a point can crash.
  runtime::Runner* trials = nullptr;
  // Runs the side-by-side comparisons. Null if times of the device mean
  // nothing, as those of an emulator: then no point is accepted.
  runtime::Runner* judge = nullptr;
  bool overlap = false;  // as SearchSetup::overlap
};

struct TuningOptions {
  std::string tuner = "xgb";  // one of tune::TunerNames()
  // Trials of other tasks and devices, from which the tuner `xgb` learns.
  OtherExamples others;
  // A log of AutoTVM, whose points are tried before all others.
  std::vector<AutoTvmConv2d> hints;
  uint64_t seed = 0;
  SearchLimits limits;  // of each task
  // Time of the run of all tasks; 0 stands for no limit.
  double seconds = 0;
  TrialOptions trial;
  AcceptanceOptions acceptance;
  int64_t weights_bytes = 0;  // of the whole network (kernel_program.h)
};

// The records that a run of the tuner reads and writes.
struct TuningLog {
  // The records of earlier runs.
  const std::vector<TuningRecord>* earlier = nullptr;
  // Stores a record; returns when it is on disk.
  std::function<absl::Status(const TuningRecord&)> append;
  // TuneTask() calls it for each earlier record of its search
  // (IsOfSameSearch). May be null. TuneTasks() ignores it.
  std::function<void(const TuningRecord&)> replay = nullptr;
};

// Returns the record header of a task: all members that do not depend on the
// point. Returns an error if the templates of the task cannot be lowered.
absl::StatusOr<TuningRecord> HeaderOf(const tune::Task& task,
                                      const TuningDevice& device,
                                      const TuningOptions& options);

// Tunes `task`, whose search space is `space`. Records of `log.earlier` that
// belong to the same search are not repeated.
absl::Status TuneTask(const tune::Task& task, const tune::SearchSpace& space,
                      const TuningDevice& device, const TuningOptions& options,
                      BuildPool* builders, const TuningLog& log);

struct PlannedTask {
  tune::Task task;
  tune::SearchSpace space;
};

// Returns the tasks with an anchor in the order in which they are tuned: those
// that take most of the network's time, according to the cost model, come
// first, and those with other layouts than the cost model chooses come last. A
// task that leaves nothing to choose, such as a conversion of a layout, is
// included: only its default point is measured, whose time is needed to compare
// layouts.
std::vector<PlannedTask> PlanTasks(std::vector<tune::Task> tasks,
                                   const target::Target& target);

// Tunes `tasks` on one device, or on several devices of a kind at the same
// time. Each device tunes a task from its beginning to its end, and then takes
// the next one, so that the points of a task are measured on one device. If the
// time of the run is limited, each task gets an equal part of what is left.
//
// A task that fails, for example because its default point cannot be built,
// does not end the run. The run ends if a record cannot be written, if no
// process that builds points can be started, or if one device is lost too often
// while a point is measured.
// `options.limits.deadline` is set for each task. `progress` is told what
// happens. It and `log.append` are called by several threads, one at a time.
absl::Status TuneTasks(const std::vector<PlannedTask>& tasks,
                       const std::vector<TuningDevice>& devices,
                       const TuningOptions& options, BuildPool* builders,
                       const TuningLog& log, TuningProgress* progress);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_TUNE_TASK_H_
