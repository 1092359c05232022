// SelectPoint: finds out, after the search of a task, which of the points with
// the fastest trials replaces the default point (compiler/docs/tuning.md).
//
//   SelectionSetup setup = {&space, &program, &runner, threads};
//   setup.earlier = &log.records;
//   setup.append = append;
//   ASSAY_RETURN_IF_ERROR(search.Run(limits));
//   ASSAY_RETURN_IF_ERROR(SelectPoint(setup, search));
//
// The finalists are measured next to the default point in several loads
// (successive_halving.h). The best of them are then compared with the default
// point (acceptance.h). Each result is a record of the log.
//
// A finalist that cannot be built, that fails while it runs, or whose outputs
// are wrong is recorded as such, and the others go on without it. If the device
// is lost, the load or the comparison that it was measuring is repeated on the
// next device. After kMaxDevicesLost losses in a row, SelectPoint() fails.
//
// Results of an interrupted run are not repeated. But times of finalists are
// compared with each other, so they must have been measured together. If a
// finalist has no result, as after a search with more trials, or if results are
// from different measurements, all finalists are measured again. A point that
// failed is not tried again.
#ifndef ASSAY_SUITES_TUNE_SEARCH_POINT_SELECTION_H_
#define ASSAY_SUITES_TUNE_SEARCH_POINT_SELECTION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "compiler/tune/space/search_space.h"
#include "runtime/measure/session.h"
#include "suites/tune/log/tuning_record.h"
#include "suites/tune/search/acceptance.h"
#include "suites/tune/search/kernel_program.h"
#include "suites/tune/search/task_search.h"

namespace assay::suites {

// The number of finalists, the points with the fastest trials, is a twentieth
// of all points that were measured, within these bounds. There are fewer if
// fewer points were faster than the default point.
constexpr size_t kMinFinalists = 4;
constexpr size_t kMaxFinalists = 8;
// The time in which all finalists are measured, as a fraction of
// AcceptanceOptions::budget_s. Each comparison has the whole budget as well.
constexpr double kFinalistsShare = 0.5;
// At most this many finalists are compared with the default point, the best one
// first. A finalist is compared only if it was faster than the default point by
// more than the noise, and if all those compared before it turned out to be
// slower than the default point or failed.
constexpr int kMaxCompared = 3;

// All pointers must outlive the call.
struct SelectionSetup {
  const tune::SearchSpace* space = nullptr;
  const KernelProgram* program = nullptr;
  runtime::Runner* judge = nullptr;
  int threads = 1;
  AcceptanceOptions acceptance = {};
  uint64_t seed = 0;
  // The records of earlier runs. Must not be null.
  const std::vector<TuningRecord>* earlier = nullptr;
  // Stores a record; returns when it is on disk. Must not be null.
  std::function<absl::Status(const TuningRecord&)> append = nullptr;
};

// Requires a successful search.Run(). Returns an error if a record cannot be
// written, if no process that builds points can be started (BuildPool::Build),
// or if the device was lost too often.
absl::Status SelectPoint(const SelectionSetup& setup, const TaskSearch& search);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_POINT_SELECTION_H_
