// TuningProgress: tells how far a run of the tuner is. It updates the progress
// line on the terminal,
//
//   task 7/24 conv2d 64x56x56 3x3: trial 132/1000, best 88.1 GFLOP/s (79 % of
//   peak), 12 errors, 9.8 trials/s, 14 min left
//
// and prints a line of a table for each finished task:
//
//   task  points  trials  errors   default      best  GFLOP/s  peak  …
//   6/24   12096    1000      12  812.3 µs  640.2 µs     88.1   79%  …
//
// The last columns are the ratio and the verdict of the comparison with the
// default point, and the name of the task. Columns have fixed widths, so the
// table stays aligned while it grows. If several devices tune tasks at the same
// time, the progress line begins with the number of finished tasks and the
// totals over the active tasks. Tasks are printed in the order in which they
// finish.
//
//   TuningProgress progress({num_tasks, peaks}, &std::cout, &line, clock);
//   progress.Start(device, {name, flops, points, max_trials});
//   progress.Add(device, record);  // for each trial
//   progress.Finish(device, status);
//
// Times are multiples of the shortest time of the default point, as in the
// ranking of the search (RelativeTime() in suites/tune/log/tuning_record.h).
// The smallest of many noisy times is usually smaller than its true value.
// Therefore the best finalist replaces the best trial as soon as finalists were
// measured in several loads. A rate above the peak is shown only for fast
// algorithms, which do fewer operations than the rate counts.
// The time left assumes that the remaining trials take as long as those so far,
// with all that happens between them, and that the remaining tasks have as many
// trials as those so far, on average.
//
// Not thread-safe.
#ifndef ASSAY_SUITES_TUNE_PROGRESS_TUNING_PROGRESS_H_
#define ASSAY_SUITES_TUNE_PROGRESS_TUNING_PROGRESS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/base/clock.h"
#include "suites/harness/progress.h"
#include "suites/kernels/peak/arithmetic.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

class TuningProgress {
 public:
  struct Run {
    int tasks = 0;
    // The peaks of the device. The column `peak` has the rate of the best point
    // divided by the peak of the arithmetic that this point uses
    // (ArithmeticOf). Empty if the peaks are not known; the table then lacks
    // this column.
    PeakRates peaks = {};
  };
  struct Task {
    std::string name;  // TaskName()
    int64_t flops = 0;
    int64_t points = 0;  // size of the search space
    int64_t max_trials = 0;
  };

  // The pointers must outlive this object. If the output is no terminal,
  // `progress` must be one that prints nothing.
  TuningProgress(const Run& run, std::ostream* out, Progress* progress,
                 Clock* clock);
  ~TuningProgress();

  // `device` is the index of the device that tunes the task.
  void Start(int device, Task task);
  // A trial or a comparison of the task has ended.
  void Add(int device, const TuningRecord& record);
  // As Add(), for a record of an earlier run, which took no time.
  void Replay(int device, const TuningRecord& record);
  // Prints the line of the task, with the message if it failed.
  void Finish(int device, const absl::Status& status);

  // The number of calls of Add().
  int64_t num_records() const { return measured_; }

 private:
  struct ActiveTask;

  void Draw();
  std::string Best(const ActiveTask& active) const;
  std::string Speed() const;
  std::vector<std::string> Cells(const ActiveTask& active) const;

  const Run run_;
  std::ostream& out_;
  Progress& progress_;
  Clock& clock_;

  const int64_t start_nanos_;
  int started_ = 0;             // tasks
  int finished_ = 0;            // tasks
  int64_t planned_trials_ = 0;  // of the tasks that were started
  int64_t measured_ = 0;        // records that took time
  std::map<int, std::unique_ptr<ActiveTask>> active_;  // by device
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_PROGRESS_TUNING_PROGRESS_H_
