// TaskSearch: the trials of one task on one device, from the first one to the
// ranking of the points (compiler/docs/tuning.md).
//
//   TaskSearch search(setup, header, &tuner);
//   search.Replay(log.records);
//   ASSAY_RETURN_IF_ERROR(search.Run(limits));
//   Compare(search.Ranking(8));
//
// Each record is on disk before the next trial starts. Points with equal
// machine code are measured once. A point that cannot be built, or on which the
// compiler crashes, costs one trial. If the device is lost during a trial, only
// this trial is repeated: on another device of the same kind, or on the same
// one when it is available again.
//
// Replay() passes the records of an interrupted search to a new one, which then
// continues as the interrupted search would have and repeats none of its
// trials. Only the default point, next to which all others are measured, runs
// again.
#ifndef ASSAY_SUITES_TUNE_SEARCH_TASK_SEARCH_H_
#define ASSAY_SUITES_TUNE_SEARCH_TASK_SEARCH_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/target/target.h"
#include "compiler/tune/search/tuner.h"
#include "compiler/tune/space/search_space.h"
#include "runtime/artifact/artifact.h"
#include "suites/tune/build/build_pool.h"
#include "suites/tune/build/build_request.h"
#include "suites/tune/log/tuning_record.h"
#include "suites/tune/search/kernel_program.h"
#include "suites/tune/search/trial.h"

namespace assay::suites {

// When a search ends. Trials of Replay() count.
struct SearchLimits {
  int64_t trials = 1000;
  // The search ends if each of the last `plateau` trials failed to improve the
  // best time by more than kPlateauGain; 0 stands for no limit.
  int64_t plateau = 0;
  int64_t deadline = std::numeric_limits<int64_t>::max();  // MonotonicNanos()
};

constexpr double kPlateauGain = 0.01;
// The search fails if the device is lost this many times in a row during one
// trial.
constexpr int kMaxDevicesLost = 3;
// Returns the error of a search whose device was lost that often. `error` is
// that of the last loss.
absl::Status LostTooOften(absl::string_view error);

// The space of a search, and the objects that build and measure its points. All
// pointers must outlive the search.
struct SearchSetup {
  const tune::SearchSpace* space = nullptr;
  const KernelProgram* program = nullptr;
  target::Target target;
  // Points that are measured before the tuner chooses any.
  std::vector<int64_t> first = {};
  BuildPool* builders = nullptr;
  TrialRunner* trials = nullptr;
  // Number of points that are built at once.
  int ahead = 8;
  // If true, points are built while others are measured. Must be false if the
  // device is this machine, where a compiler would disturb the measurement.
  bool overlap = false;
  // Stores a record; returns when it is on disk.
  std::function<absl::Status(const TuningRecord&)> append = nullptr;
};

// Returns true if both records are of one search: of the same task, target,
// device, number of threads, template, tuner and seed.
bool IsOfSameSearch(const TuningRecord& a, const TuningRecord& b);

class TaskSearch {
 public:
  struct RankedPoint {
    int64_t point = 0;
    double relative = 1;  // median of RelativeTime() of its trials
  };

  // `header` has the members of all records that do not depend on the point.
  TaskSearch(SearchSetup setup, TuningRecord header, tune::Tuner* tuner);

  // Takes over the trials of an interrupted search (IsOfSameSearch). Ignores
  // other records, trials that lost their device, and failed trials of the
  // default point. Returns the number of trials that it took over.
  int64_t Replay(const std::vector<TuningRecord>& records);

  // Measures points until a limit is reached or all points were measured.
  // Returns an error if the default point fails, if a record cannot be written,
  // if no process that builds points can be started (BuildPool::Build), or if
  // the device was lost too often.
  absl::Status Run(const SearchLimits& limits);

  // Returns the fastest points of different machine code, the fastest first; at
  // most `count`.
  std::vector<RankedPoint> Ranking(size_t count) const;

  // Number of points with a result.
  int64_t num_trials() const { return tuner_.num_results(); }
  // The program with the default point. Requires a successful Run().
  const runtime::Artifact& default_artifact() const { return default_; }
  // Builds points at the same time. A point that fails says so in its status.
  // Returns an error only if points cannot be built at all.
  absl::StatusOr<std::vector<BuiltPoint>> Build(
      absl::Span<const int64_t> points) const;
  // The record of a point, without a result.
  TuningRecord RecordOf(int64_t point) const;

 private:
  struct Pending {
    int64_t point = 0;
    std::future<absl::StatusOr<BuiltPoint>> built;
  };
  struct Known {
    std::vector<double> relatives;  // of the trials that succeeded
    std::string code_digest;
  };

  bool IsOver(const SearchLimits& limits) const;
  std::future<absl::StatusOr<BuiltPoint>> StartBuild(int64_t point) const;
  absl::Status MeasureDefault();
  void BuildAhead(const SearchLimits& limits);
  absl::Status Try(int64_t point, const BuiltPoint& built);
  absl::StatusOr<TuningRecord> Measure(int64_t point, const BuiltPoint& built);
  void Learn(int64_t point, const TuningRecord& record);

  const SearchSetup setup_;
  const TuningRecord header_;
  tune::Tuner& tuner_;
  const std::string graph_;  // BuildRequest::graph
  runtime::Artifact default_;
  std::deque<Pending> pending_;
  std::map<int64_t, Known> known_;  // by point
  // The record of the first point with this code.
  std::map<std::string, TuningRecord> by_code_;
  double best_ = std::numeric_limits<double>::infinity();  // relative
  int64_t since_best_ = 0;                                 // trials
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_TASK_SEARCH_H_
