// MeasuredSpace: the times that a log has for the points of a task, so that
// searches can be repeated on them without a device.
//
// All times are relative to that of the default point (RelativeTime() in
// log/tuning_record.h). The time of a point is the median over its records, and
// the larger one of two. A point whose trials failed has no time, nor has a
// point without a record.
//
// The smallest of many noisy times is smaller than the truth: with thousands of
// points, it belongs to one that was lucky. A search measures its fastest
// points again (search/successive_halving.h). Best() therefore considers only
// points that were measured more than once, if there are any. A lucky point
// does not count then, unless it was lucky each time.
#ifndef ASSAY_SUITES_TUNE_REPLAY_MEASURED_SPACE_H_
#define ASSAY_SUITES_TUNE_REPLAY_MEASURED_SPACE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "compiler/tune/space/search_space.h"
#include "compiler/tune/tuner/tuner.h"
#include "runtime/base/random.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

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
  // The time that a trial of the point measures: that of one of its records,
  // which is drawn at random.
  std::optional<double> Trial(int64_t point, Rng& rng) const;
  // The time of the best point; nullopt if all trials failed.
  std::optional<double> Best() const;
  // The results of all points with a record, in the order of the points.
  std::vector<tune::Measured> Results() const;

 private:
  tune::SearchSpace space_;
  // The times of each point with a record, one for each successful trial.
  std::map<int64_t, std::vector<double>> times_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_REPLAY_MEASURED_SPACE_H_
