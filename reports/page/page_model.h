// PageModel: the contents of the page of nightly runs, independent of HTML.
//
// A cell is identified across runs by its key (suite, model, device, fusion,
// threads). The newest run of a suite is the last one with a row of
// that suite; a cell of earlier runs that is missing there has the status
// `not_run`. A cell is judged if its verdict is about the program.
//
// A night is a run in which a cell was timed on a real machine. It has the
// median and the 99 % sign interval of the samples of that run. The variation
// between nights is larger than these intervals; the change points
// (stats/change_points.h) account for it. They are computed from the logarithms
// of the medians, separately for each fingerprint of the machine, with a
// Bonferroni correction over the cells of the page: if no level has changed,
// the page has a change point with probability at most kPageLevel.
#ifndef ASSAY_REPORTS_PAGE_PAGE_MODEL_H_
#define ASSAY_REPORTS_PAGE_PAGE_MODEL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "reports/result/run_result.h"
#include "reports/stats/change_points.h"

namespace assay::reports {

constexpr double kPageLevel = 0.05;
constexpr double kBandLevel = 0.99;

struct Night {
  size_t run = 0;  // index into the history
  double median_ms = 0;
  // Bounds of the interval; nullopt if there are too few samples.
  std::optional<double> lower_ms;
  std::optional<double> upper_ms;
  stats::Verdict verdict = stats::Verdict::kInfrastructure;
};

// A difference between the environments of a night and of the preceding one.
struct EnvironmentChange {
  size_t night = 0;
  // True if the machine changed, false if only its state did.
  bool identity = false;
  std::string what;  // `kernel: 6.1.0, before 6.0.9; ...`
};

// The verdict of a cell, or `not_run`.
struct Status {
  absl::string_view name;
  // A character that identifies the status without colour.
  absl::string_view symbol;
  // Why the status is not a judgement of the program, as a clause. Empty for
  // judgements.
  absl::string_view why_not_judged;

  bool judged() const { return why_not_judged.empty(); }
};

// All statuses, most severe first.
absl::Span<const Status> Statuses();

struct Cell {
  // The newest row of the cell, and its run.
  const Row* row = nullptr;
  size_t run = 0;
  const Status* status = nullptr;
  std::vector<Night> nights;
  // Change points with indices into `nights` and levels in milliseconds.
  std::vector<stats::ChangePoint> changes;
  std::vector<EnvironmentChange> environments;
};

struct SuiteCensus {
  std::string suite;
  size_t run = 0;  // newest run
  int64_t cells = 0;
  int64_t judged = 0;
  // Number of the other cells by status.
  std::map<const Status*, int64_t> not_judged;
};

struct PageModel {
  // Ordered by status, most severe first, then by key.
  std::vector<Cell> cells;
  std::vector<SuiteCensus> suites;  // by name
};

// `history` is ordered from oldest to newest and must outlive the model.
PageModel BuildPageModel(absl::Span<const RunResult> history);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_PAGE_MODEL_H_
