// SelectPoint: finds out, after the search of a task, which of the points with
// the fastest trials replaces the default point (compiler/docs/tuning.md).
//
//   SelectionSetup setup = {&space, &program, &runner, threads};
//   ASSAY_RETURN_IF_ERROR(search.Run(limits));
//   ASSAY_RETURN_IF_ERROR(SelectPoint(setup, search));
//
// The finalists are measured next to the default point in several loads
// (successive_halving.h). The best of them are then compared with the default
// point (acceptance.h). Each result is a record of the log.
//
// A finalist that cannot be built, that fails while it runs, or whose outputs
// are wrong is recorded as such, and the others go on without it. If the device
// is lost, the load or the comparison that it was measuring starts again on the
// next device, at most kMaxDevicesLost times in a row.
//
// Results of an interrupted run are not repeated. But times of finalists are
// compared with each other, so they must come from the same blocks of
// measurement: if there is a finalist without a result, as after a search with
// more trials, all finalists are measured again. A point that failed is not
// tried again.
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
// of all points that were measured, within these bounds.
constexpr size_t kMinFinalists = 4;
constexpr size_t kMaxFinalists = 8;
// The part of AcceptanceOptions::budget_s that the finalists take.
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
  // The records of earlier runs.
  const std::vector<TuningRecord>* earlier = nullptr;
  // Stores a record; returns when it is on disk.
  std::function<absl::Status(const TuningRecord&)> append = nullptr;
};

// Requires a successful search.Run(). Returns an error if a record cannot be
// written, if no point can be built, or if the device was lost too often.
absl::Status SelectPoint(const SelectionSetup& setup, const TaskSearch& search);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_POINT_SELECTION_H_
