// Events: the nights in which a time may have changed or has changed, with the
// causes, and whether people are told (published).
//
// An event is
//   - a step: a night whose program, method or machine is not that of the night
//     before (series.h). A night in which the unchanged programs of a machine
//     moved together by at least kVisibleMovement is a step with the cause
//     `machine`, too, although nobody recorded a change of the machine;
//   - a shift: a lasting change of the level of a series without a digest, such
//     as the time of loading, after the movements of the machine were removed
//     (stats/persistent_shift.h).
// An event is published if
//   - the program of a latency changed, and the comparison with the program of
//     the night before, side by side in the same night, has the verdict
//     `regressed`; or if
//   - a shift makes a series slower, and the machine and the method were the
//     same within kNearMachine nights of it.
// Everything else is not: the movement of a series with a digest whose program
// did not change is the machine's by definition, however large it is.
//
// A changed layout is published like changed code if the comparison says so.
// Then the cause says that the kernels are the same.
#ifndef ASSAY_REPORTS_HISTORY_EVENTS_H_
#define ASSAY_REPORTS_HISTORY_EVENTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "reports/history/change.h"
#include "reports/history/machine_levels.h"
#include "reports/history/series.h"
#include "reports/stats/persistent_shift.h"

namespace assay::reports {

// The smallest common movement that is shown as an event: the interval lies
// outside of this relative change.
constexpr double kVisibleMovement = 0.02;
// The number of nights before and after a shift in which a change of the
// machine or of the method explains it.
constexpr int64_t kNearMachine = 5;

struct Event {
  size_t series = 0;  // index into AnalyzedHistory::series
  size_t point = 0;   // index into Series::points: the first night of the event
  // The causes of the step. A shift has those of the step at its night, or none
  // if nothing that is recorded explains it.
  Causes causes;
  bool other_machine = false;  // Change::other_machine
  // Descriptions of the differences, and what is known about the time.
  std::string what;
  // The relative change of the time with the bounds of its interval, if it was
  // measured side by side; of a shift, without bounds.
  std::optional<double> change;
  std::optional<SideBySide> side_by_side;
  // Present for a shift; levels are logarithms of times in milliseconds.
  std::optional<stats::Shift> shift;
  bool published = false;
  // Why the event is published or not, in one clause.
  std::string reason;
};

struct AnalyzedHistory {
  std::vector<Series> series;
  MachineLevels levels;
  // Ordered by series, then by point.
  std::vector<Event> events;
};

// Finds the events of the series.
AnalyzedHistory FindEvents(std::vector<Series> series);

// For a history of which earlier nights were analyzed before.
struct NewEvents {
  // Events that were found before this run are known and left out.
  size_t first_run = 0;
  // For each series, the first run of the last shift that is known; 0 if there
  // is none.
  std::vector<size_t> shifted;
};

// Finds the new events of the series, given the levels of the machines.
AnalyzedHistory FindEvents(std::vector<Series> series, MachineLevels levels,
                           const NewEvents& wanted);

// Returns FindEvents(BuildSeries(history)).
AnalyzedHistory AnalyzeHistory(absl::Span<const RunResult> history);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_HISTORY_EVENTS_H_
