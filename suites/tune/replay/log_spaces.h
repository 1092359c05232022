// SpacesOf: the search spaces of all tasks in a log, with the times that the
// log has for their points. The log is enough: neither the model nor the device
// is needed.
//
//   const OtherExamples others(SpacesOf(ReadLog(path)->records).spaces);
//   const auto tuner =
//       tune::MakeModelTuner(space, seed, others.For(task, place));
#ifndef ASSAY_SUITES_TUNE_REPLAY_LOG_SPACES_H_
#define ASSAY_SUITES_TUNE_REPLAY_LOG_SPACES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "compiler/tune/tuner/examples.h"
#include "suites/tune/log/best_records.h"
#include "suites/tune/log/tuning_record.h"
#include "suites/tune/replay/measured_space.h"

namespace assay::suites {

// The records of a log for a task at a place.
struct LogSpace {
  std::string task;  // these members are those of the records
  std::string workload;
  std::string anchor;
  TuningPlace place;
  MeasuredSpace measured;
};

struct LogSpaces {
  // In the order of their first records. If the template of a task has changed
  // in between, its records are in several elements.
  std::vector<LogSpace> spaces;
  // Records that belong to no space: their workload or target cannot be parsed,
  // or the space does not have their point any more.
  int64_t foreign = 0;
};

// The space of a task is that of its anchor on the target of the records.
// Records of tasks without an anchor, for which there is nothing to choose, are
// ignored.
LogSpaces SpacesOf(const std::vector<TuningRecord>& records);

// The points of all spaces as examples. Their features are computed once, which
// takes much longer than to copy them for each search.
class OtherExamples {
 public:
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
