// TuneTask: tunes one task on one device: search, finalists, and acceptance
// (compiler/docs/tuning.md).
#ifndef ASSAY_SUITES_TUNE_SEARCH_TUNE_TASK_H_
#define ASSAY_SUITES_TUNE_SEARCH_TUNE_TASK_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/driver/tuning_table.h"
#include "compiler/target/target.h"
#include "compiler/tune/space/search_space.h"
#include "compiler/tune/task/tasks.h"
#include "compiler/tune/tuner/tuner.h"
#include "runtime/measure/session.h"
#include "suites/tune/build/build_pool.h"
#include "suites/tune/log/tuning_record.h"
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
  bool overlap = false;  // as SearchTools::overlap
};

using TunerFactory = std::function<std::unique_ptr<tune::Tuner>(
    const tune::Task& task, const tune::SearchSpace& space)>;

// Returns the points of a task that are tried before all others.
using Hints =
    std::function<std::vector<driver::TunedKernel>(const tune::Task& task)>;

struct TaskOptions {
  std::string tuner;  // its name in the log
  TunerFactory make_tuner;
  Hints hints = nullptr;  // may be null
  uint64_t seed = 0;
  SearchLimits limits;
  TrialOptions trial;
  AcceptanceOptions acceptance;
  int64_t weights_bytes = 0;  // of the whole network (kernel_program.h)
};

// The number of finalists, the points with the fastest trials, is a twentieth
// of all points that were measured, within these bounds. They are measured next
// to the default point in several loads (successive_halving.h), as in the
// comparison of the best of them.
constexpr size_t kMinFinalists = 4;
constexpr size_t kMaxFinalists = 8;
// The part of AcceptanceOptions::budget_s that the finalists take.
constexpr double kFinalistsShare = 0.5;
// The most points that are compared with the default point: finalists that are
// faster by more than the noise. The next one is compared only if the one
// before is slower than it seemed.
constexpr int kMaxCompared = 3;

// Where the trials of all tasks come from and go to.
struct TuningLog {
  // The records of earlier runs.
  const std::vector<TuningRecord>* earlier = nullptr;
  std::function<absl::Status(const TuningRecord&)> append;
  // Called after each record. May be null.
  std::function<void(const TuningRecord&)> observe = nullptr;
  // Called for each earlier record that belongs to the run. May be null.
  std::function<void(const TuningRecord&)> replay = nullptr;
};

// Returns the record header of a task: all members that do not depend on the
// point. Returns an error if the templates of the task cannot be lowered.
absl::StatusOr<TuningRecord> HeaderOf(const tune::Task& task,
                                      const TuningDevice& device,
                                      const TaskOptions& options);

// Tunes `task`, whose search space is `space`. Records of `log.earlier` that
// belong to the same search are not repeated.
absl::Status TuneTask(const tune::Task& task, const tune::SearchSpace& space,
                      const TuningDevice& device, const TaskOptions& options,
                      BuildPool* builders, const TuningLog& log);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_TUNE_TASK_H_
