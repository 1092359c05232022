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
// Change points (stats/change_points.h) are level shifts in the logarithms of
// the nightly medians of a cell. They are computed separately for each sequence
// of consecutive nights with the same fingerprint of the machine. The
// significance level of each test is kPageLevel divided by the number of cells
// and by the number of sequences of the cell (Bonferroni correction). If no
// latency has changed and the nightly medians are exchangeable, the probability
// that the page shows any change point is therefore at most kPageLevel.
#ifndef ASSAY_REPORTS_PAGE_PAGE_MODEL_H_
#define ASSAY_REPORTS_PAGE_PAGE_MODEL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "reports/page/status.h"
#include "reports/result/run_result.h"
#include "reports/stats/change_points.h"

namespace assay::reports {

// Significance level of the change points of the whole page.
constexpr double kPageLevel = 0.05;
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

// A difference between the environments of a night and of the preceding night.
// Facts that differ in every run, for example the load, are not compared.
struct EnvironmentChange {
  // Index into Cell::nights of the later night.
  size_t night = 0;
  // True if the machine changed, false if only its state changed.
  bool identity = false;
  // Description of the differences: `kernel: 6.1.0, before 6.0.9; ...`.
  std::string what;
};

struct Cell {
  // The newest row of the cell.
  const Row* row = nullptr;
  size_t run = 0;  // the run with this row, as an index into the history
  const Status* status = nullptr;
  std::vector<Night> nights;
  // Change points with indices into `nights` and levels in milliseconds.
  std::vector<stats::ChangePoint> changes;
  std::vector<EnvironmentChange> environments;
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
