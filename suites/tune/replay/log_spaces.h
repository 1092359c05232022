// SpacesOf: the search spaces of all tasks in a log, with the times that the
// log has for their points. The log is enough: neither the model nor the device
// is needed.
//
//   const OtherExamples others(SpacesOf(ReadLog(path)->records));
//   const auto tuner =
//       tune::MakeModelTuner(space, seed, others.For(task, place));
#ifndef ASSAY_SUITES_TUNE_REPLAY_LOG_SPACES_H_
#define ASSAY_SUITES_TUNE_REPLAY_LOG_SPACES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "compiler/tune/search/speed_model.h"
#include "compiler/tune/search/tuner.h"
#include "compiler/tune/space/search_space.h"
#include "runtime/base/random.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

// The times that a log has for the points of a task, so that searches can be
// repeated on them without a device.
//
// All times are relative to that of the default point (RelativeTime() in
// log/tuning_record.h). The time of a point is the median over its records with
// `loads` or, if it has none, over its trials (the upper one if their number is
// even). The two are not mixed, because a trial is the ratio of fastest samples
// in one load, and varies more than the median of several loads. A point
// without a successful record has no time.
//
// The smallest of many noisy times is smaller than the truth: with thousands of
// points, it is the time of a point that was fast by chance. A search measures
// its fastest points again (search/successive_halving.h). If there are points
// that were measured more than once, Best() therefore considers only those. A
// point must then be fast in most of its records, not in one.
class MeasuredSpace {
 public:
  explicit MeasuredSpace(tune::SearchSpace space) : space_(std::move(space)) {}

  // Adds a record of the task. Verdicts and trials whose device was lost are
  // ignored. Returns NotFound if the space does not have the point.
  absl::Status Add(const TuningRecord& record);

  const tune::SearchSpace& space() const { return space_; }
  // The number of points with a record.
  int64_t num_points() const { return static_cast<int64_t>(times_.size()); }

  // The time of a point; nullopt if it has none.
  std::optional<double> Time(int64_t point) const;
  // The time that a repeated trial of the point measures: the time of one of
  // its trials, drawn at random, or Time() if it has only records with `loads`.
  // nullopt if the point has no time.
  std::optional<double> Trial(int64_t point, Rng& rng) const;
  // The time of the best point; nullopt if all trials failed.
  std::optional<double> Best() const;
  // The results of all points with a record, in the order of the points.
  std::vector<tune::Measured> Results() const;

 private:
  // The times of the successful records of a point.
  struct Times {
    std::vector<double> trials;
    std::vector<double> finals;  // of the records with `loads`
  };

  tune::SearchSpace space_;
  std::map<int64_t, Times> times_;  // of each point with a record
};

// The records of a log for a task at a place.
struct LogSpace {
  std::string task;  // these members are those of the records
  std::string anchor;
  TuningPlace place;
  MeasuredSpace measured;
};

// Returns the spaces in the order of their first records. If the template of a
// task has changed between records, the task has several elements. The space
// of a task is that of its anchor on the target of the records. Ignores records
// of tasks without an anchor, for which there is nothing to choose, and records
// that belong to no space: their workload or target cannot be parsed, or the
// space does not have their point any more.
std::vector<LogSpace> SpacesOf(const std::vector<TuningRecord>& records);

// The points of all spaces as examples. Their features are computed once, which
// takes much longer than to copy them for each search.
class OtherExamples {
 public:
  OtherExamples() = default;
  explicit OtherExamples(const std::vector<LogSpace>& spaces);

  // Returns the points of all other tasks, and of the same task at other
  // places, as examples for a search of `task` at `place`.
  std::vector<tune::Examples> For(absl::string_view task,
                                  const TuningPlace& place) const;

 private:
  struct Space {
    std::string task;
    TuningPlace place;
    tune::Examples examples;
  };
  std::vector<Space> spaces_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_REPLAY_LOG_SPACES_H_
