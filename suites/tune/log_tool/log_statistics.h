// LogStatistics: how the trials of a log went.
#ifndef ASSAY_SUITES_TUNE_LOG_TOOL_LOG_STATISTICS_H_
#define ASSAY_SUITES_TUNE_LOG_TOOL_LOG_STATISTICS_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

// Numbers of trials by status, in the order of TrialStatus.
using StatusCounts = std::array<int64_t, kNumTrialStatuses>;

// The trials of one task on one device, with one number of threads
// (TuningPlace), one template, one tuner and one seed.
struct TuningRun {
  // The last record of the run. It has the values that all of them share.
  TuningRecord record;
  StatusCounts trials = {};
  int64_t points = 0;  // different ones
  // Records with `loads` and records with a verdict. Neither are trials: their
  // times are not those of one load, and they repeat points of the search.
  int64_t finals = 0;
  int64_t comparisons = 0;
  // The smallest RelativeTime() of a trial, and the median of the samples of
  // that trial. Both are 0 if no trial succeeded.
  double best_relative = 0;
  double best_ns = 0;
  // The number of the first trial that reached 95 % of the speed of the best
  // trial, by RelativeTime(). 0 if no trial succeeded.
  int64_t trials_to_95 = 0;
};

struct LogStatistics {
  std::vector<TuningRun> runs;  // by place, task, template, tuner and seed
  int64_t records = 0;
  int64_t duplicates = 0;  // repetitions of records; they are in no run
};

// The records of a run must be in the order in which they were measured.
LogStatistics MakeLogStatistics(const std::vector<TuningRecord>& records);

// Returns a table for each place with a row for each run, and the totals.
std::string StatisticsTable(const LogStatistics& statistics);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_TOOL_LOG_STATISTICS_H_
