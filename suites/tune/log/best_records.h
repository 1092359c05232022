// FindBestRecords: what a log says about the points of each task on one device.
//
//   TuningPlace place = {target.ToString(), fingerprint, /*threads=*/2};
//   tune::CurrentTasks tasks;
//   tasks[task.key] = {digest, {"conv2d.direct_nchwc", config}};
//   const BestRecords best = FindBestRecords(log.records, place, tasks);
//   if (const auto* point = best.tasks.at(task.key).accepted()) { … }
//
// A record counts only if it was measured at this place and with the current
// template of its task. Others never contribute; those of this place are
// counted by reason.
//
// A point is accepted if a side-by-side comparison with the default point says
// `improved`, unless another record says that it is wrong, or that it is slower
// (`regressed`). Of several accepted points, that with the smallest upper end
// of the interval of the ratio is the best. The fastest point of a search is
// not accepted for its time alone: the smallest of many noisy times is smaller
// than the truth.
//
// A point that the comparison of a network drops (network_record.h) is not
// accepted. If it is the default point, its times do not count, so that its
// layout is not chosen.
//
// The result does not depend on the order of the records, and equal records
// count once. Logs can therefore be merged by concatenation, even repeatedly.
#ifndef ASSAY_SUITES_TUNE_LOG_BEST_RECORDS_H_
#define ASSAY_SUITES_TUNE_LOG_BEST_RECORDS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/tuning_table.h"
#include "compiler/tune/task/current_task.h"
#include "suites/tune/log/network_record.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

struct MeasuredPoint {
  driver::TunedKernel point;
  std::vector<double> samples_ns;  // of all records of the point, ascending
  double median_ns = 0;
  // The time relative to that of the default point: the median of
  // RelativeTime() over the records with loads or, if there are none, the
  // median of the ratios of the fastest samples over all records. If a record
  // has no `default_ns`, its fastest sample is divided by
  // BestOfTask::default_ns. 1 for the default point.
  double relative = 1;
};

// A point that was compared with the default point.
struct JudgedPoint {
  driver::TunedKernel point;
  // Medians in this comparison.
  double median_ns = 0;
  double default_median_ns = 0;  // 0 if the record does not have it
  TuningVerdict verdict;
};

struct BestOfTask {
  std::string workload;
  std::string anchor;
  int64_t flops = 0;
  // Absent if it is wrong, or if no record of it succeeded.
  std::optional<MeasuredPoint> default_point;
  // The fastest sample of the default point, including the samples that were
  // taken next to other points. 0 if there is none, or if the default point is
  // wrong or dropped.
  // The machine may have been slow for a whole trial, but hardly for all trials
  // of a task.
  double default_ns = 0;
  // The point with the smallest `relative` among those that are not wrong.
  // Absent if there is none.
  std::optional<MeasuredPoint> fastest;
  // The best accepted point. If none is accepted, the point that came closest:
  // that with the smallest upper end of the interval. Absent if no point was
  // compared, or if all compared points are wrong or dropped.
  std::optional<JudgedPoint> judged;

  // Returns `judged` if it is accepted, and null otherwise.
  const JudgedPoint* accepted() const;
};

// Numbers of records of the place that do not count, by reason. A record has
// one reason, the first that applies.
struct UnusedRecords {
  int64_t other_task = 0;      // the task is none of the current ones
  int64_t other_template = 0;  // was measured with another template
};

// Returns a sentence for each reason that occurs.
std::vector<std::string> Describe(const UnusedRecords& unused);

struct BestRecords {
  // The tasks that have records that count, by key.
  std::map<std::string, BestOfTask> tasks;
  UnusedRecords unused;
};

// `networks` are the comparisons of networks in the same log.
BestRecords FindBestRecords(const std::vector<TuningRecord>& records,
                            const TuningPlace& place,
                            const tune::CurrentTasks& tasks,
                            const std::vector<NetworkRecord>& networks = {});

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_BEST_RECORDS_H_
