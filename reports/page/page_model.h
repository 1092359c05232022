// PageModel: the contents of the page of nightly runs, independent of HTML.
//
// A cell is identified across runs by its key: suite, model, device, variant
// (result/variant.h) and threads. The newest run of a suite is the last run
// with a row of the suite. A cell has the status `not_run` if the newest run of
// its suite has no row of the cell. A cell is judged if its verdict is a
// statement about the program (stats::IsJudgement).
//
// A night of a cell is a run in which the cell was timed on a real machine. It
// has the median and the 99 % sign interval (stats/sign_interval.h) of the
// samples of this run. The variation between nights is usually larger than
// these intervals.
//
// The events of a cell (reports/history/events.h) are the nights in which its
// program, the method or the machine changed, with the causes, and lasting
// shifts of what has no digest, such as the time of loading. A difference
// between other nights is noise, or the machine's, and is not marked.
#ifndef ASSAY_REPORTS_PAGE_PAGE_MODEL_H_
#define ASSAY_REPORTS_PAGE_PAGE_MODEL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "reports/history/events.h"
#include "reports/history/series.h"
#include "reports/page/status.h"
#include "reports/result/run_result.h"

namespace assay::reports {

// Confidence level of the interval of a night.
constexpr double kBandLevel = 0.99;

struct Night {
  size_t run = 0;  // index into the history
  double median_ms = 0;
  // Bounds of the confidence interval of the median; nullopt if there are too
  // few samples.
  std::optional<double> lower_ms;
  std::optional<double> upper_ms;
  stats::Verdict verdict = stats::Verdict::kInfrastructure;
};

// An event of a cell.
struct CellEvent {
  // Index into Cell::nights of the first night after the change.
  size_t night = 0;
  // The event is about this metric; never Metric::kKernel.
  Metric metric = Metric::kLatency;
  Event event;
};

// A night in which the latency may have another level because of the program:
// the program changed or, if it has no digest, the level shifted.
struct LevelChange {
  size_t night = 0;  // index into Cell::nights
  // Medians of the nights since the level change before, and of those until the
  // next one.
  double before_ms = 0;
  double after_ms = 0;
  // The change that is known, relative: measured side by side, or of a shift.
  std::optional<double> change;
};

struct Cell {
  // The newest row of the cell.
  const Row* row = nullptr;
  size_t run = 0;  // the run with this row, as an index into the history
  const Status* status = nullptr;
  std::vector<Night> nights;
  std::vector<CellEvent> events;  // in ascending order of the night
  std::vector<LevelChange> levels;
};

// Counts the cells of a suite.
struct SuiteCensus {
  std::string suite;
  size_t run = 0;  // newest run of the suite, as an index into the history
  int64_t cells = 0;
  int64_t judged = 0;
  // Number of the cells that were not judged, by status.
  std::map<const Status*, int64_t> not_judged;
};

struct PageModel {
  // The cells, ordered by decreasing severity of the status, then by key.
  std::vector<Cell> cells;
  std::vector<SuiteCensus> suites;  // ordered by name
};

// Returns the model of the page. `history` must be ordered from oldest to
// newest and must outlive the model.
PageModel BuildPageModel(absl::Span<const RunResult> history);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_PAGE_MODEL_H_
