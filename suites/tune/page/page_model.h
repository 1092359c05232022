// TuningPageModel: the contents of the page of a tuning run, independent of
// HTML (tuning_page.h).
//
// The records of a log are grouped by place (device, target, number of threads)
// and by task. Records of different places are never compared. Records of a
// task whose template digest differs from that of its last record are left out,
// because the template has changed since.
//
// A trial is a record without a verdict. Here, the record of a finalist
// (TuningRecord::loads) is one more trial of its point. Trials with the same
// tuner and seed form a run. The trials of a task are ordered by run and,
// within a run, as in the log. Runs are in the order of their first trials.
//
// The default point of a task is the point of the first trial that has no
// TuningRecord::default_ns. The default time is the median of all samples of
// this point: those of its own trials, and those that were taken next to other
// points (`default_ns`). The time of a trial is its RelativeTime() multiplied
// by the default time, so that trials are comparable although the speed of the
// machine changes. If a trial of another point has no `default_ns`, the time of
// the trial is the median of its own samples. Rates are in GFLOP/s or, for a
// task without floating-point operations, in calls per millisecond.
//
// A point is accepted as FindBestRecords() says (log/best_records.h).
#ifndef ASSAY_SUITES_TUNE_PAGE_PAGE_MODEL_H_
#define ASSAY_SUITES_TUNE_PAGE_PAGE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "suites/kernels/peak/arithmetic.h"
#include "suites/tune/log/best_records.h"
#include "suites/tune/log/network_record.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

// The number of failed trials by class; classes without trials are absent.
using ErrorCounts = std::map<TrialStatus, int64_t>;

struct PageTrial {
  const TuningRecord* record = nullptr;
  std::optional<double> nanos;  // nullopt if the trial failed
};

// Consecutive trials of one run of a tuner.
struct PageRun {
  size_t first_trial = 0;
  std::string tuner;
  int64_t seed = 0;
};

struct PageTask {
  std::string key;
  // TaskName(), followed by the beginning of the key if other tasks of the
  // place have the same name.
  std::string name;
  std::string workload;
  std::string anchor;
  int64_t flops = 0;

  std::vector<PageTrial> trials;
  std::vector<PageRun> runs;
  // Indices of the trials that were faster than all trials before.
  std::vector<size_t> improvements;
  ErrorCounts errors;
  // Records that were left out, because the template has changed since.
  int64_t outdated = 0;

  std::optional<double> default_nanos;  // nullopt if there are no samples
  // The accepted point. If none is accepted, the compared point whose interval
  // has the smallest upper end (BestOfTask::judged).
  std::optional<JudgedPoint> judged;
  bool accepted = false;
  // The fastest trial of the accepted point, as an index.
  std::optional<size_t> accepted_trial;

  // Calls per inference; 0 if they are unknown or if the network does not have
  // the task.
  int64_t calls = 0;
  // The part of the network's time before tuning that the task takes, and the
  // part of that time that the accepted point saves. nullopt if they cannot be
  // estimated. 0.1 means 10 %.
  std::optional<double> share;
  std::optional<double> saved;

  // The time of the fastest trial; nullopt if all trials failed.
  std::optional<double> best_nanos() const;
  double Rate(double nanos) const;
  const char* RateUnit() const;
};

// The estimated time of one inference: the sum, over the tasks, of the time of
// a call multiplied by the number of calls.
struct NetworkEstimate {
  double default_nanos = 0;
  double tuned_nanos = 0;
  // Tasks of the network whose default point has no time in the log. They are
  // not in the sums.
  int64_t unknown_tasks = 0;
};

struct PagePlace {
  TuningPlace place;
  // The peaks of the device. Empty if they are not known.
  PeakRates peaks;
  std::vector<PageTask> tasks;  // in the order of their first records
  // nullopt if no numbers of calls are known or no task of the network has a
  // time.
  std::optional<NetworkEstimate> network;

  // The rate of the task's best trial divided by the peak rate of the
  // arithmetic that its point uses (ArithmeticOf). nullopt if it is not known.
  std::optional<double> PartOfPeak(const PageTask& task) const;
};

struct TuningPageModel {
  std::vector<PagePlace> places;  // in the order of their first records
  // The names of all implementations, in the order of their first records.
  std::vector<std::string> implementations;
  int64_t trials = 0;
  ErrorCounts errors;
  int64_t outdated = 0;
  // The times of the first and of the last record. The first is later than the
  // last if no record has a valid time.
  absl::Time first_time = absl::InfiniteFuture();
  absl::Time last_time = absl::InfinitePast();
};

struct TuningPageInputs {
  // The records of one or several logs, in their order.
  std::vector<TuningRecord> records;
  // For each task of a network, by key, the number of its calls per inference
  // (tune::Task::calls). Empty if they are unknown.
  std::map<std::string, int64_t> calls = {};
  // The peaks by fingerprint of the device and number of threads
  // (MachinePeak::Rates()). May be empty.
  std::map<std::string, std::map<int, PeakRates>> peaks = {};
  std::string title = {};    // for example the name of the model
  std::string command = {};  // that wrote the log; empty if it is unknown
  // The comparisons of networks in the logs.
  std::vector<NetworkRecord> networks = {};
};

// Records must be as ReadLog() returns them: a successful trial has samples.
// `inputs` must outlive the result.
TuningPageModel BuildTuningPageModel(const TuningPageInputs& inputs);
TuningPageModel BuildTuningPageModel(TuningPageInputs&& inputs) = delete;

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_PAGE_PAGE_MODEL_H_
