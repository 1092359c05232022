// PageModel: what the page of the nightly runs says, before it is HTML.
//
// Cells are followed through the runs by what names them (suite, model, device,
// fusion, tuning, threads). A suite's newest run is the last one with a row of
// that suite; a cell that earlier runs have and that one has not is shown as
// `not_run`, lest it vanish unseen. Judged are cells whose verdict says
// something about the program; a page on which none is judged says so on top.
//
// A night is a run in which a cell was timed on a real machine. Its point is
// the median, its band the 99 % sign interval of the run's samples: what this
// night's samples say of this night. Nights differ by more, which the change
// points account for (stats/change_points.h). They are searched between changes
// of the machine's fingerprint, on logarithms, at a level that the cells of the
// page share: a page on which nothing changed marks anything with a probability
// of kPageLevel at most.
#ifndef ASSAY_REPORTS_PAGE_PAGE_MODEL_H_
#define ASSAY_REPORTS_PAGE_PAGE_MODEL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "reports/render/run_result.h"
#include "reports/stats/change_points.h"

namespace assay::reports {

constexpr double kPageLevel = 0.05;
constexpr double kBandLevel = 0.99;

struct Night {
  size_t run = 0;  // index into the history
  double median_ms = 0;
  // Nothing where the samples are too few for the level.
  std::optional<double> lower_ms;
  std::optional<double> upper_ms;
  stats::Verdict verdict = stats::Verdict::kInfrastructure;
};

// Between the night before and this one.
struct EnvironmentChange {
  size_t night = 0;
  // Another machine, rather than another state of one.
  bool identity = false;
  std::string what;  // `kernel: 6.1.0, before 6.0.9; ...`
};

// What a cell comes to: its verdict, or that it was not run.
struct Status {
  absl::string_view name;  // of the verdict, or `not_run`
  // A character, so that no colour has to be seen.
  absl::string_view symbol;
  // Why that is no judgement of the program, as part of a sentence; empty where
  // it is one: a comparison that came to a result, or a wrong answer.
  absl::string_view why_not_judged;

  bool judged() const { return why_not_judged.empty(); }
};

// All there are, gravest first.
absl::Span<const Status> Statuses();

struct Cell {
  // Of the last run that has one, and that run.
  const Row* row = nullptr;
  size_t run = 0;
  const Status* status = nullptr;
  std::vector<Night> nights;
  // Their indices are of nights, their levels milliseconds.
  std::vector<stats::ChangePoint> changes;
  std::vector<EnvironmentChange> environments;
};

struct SuiteCensus {
  std::string suite;
  size_t run = 0;  // its newest
  int64_t cells = 0;
  int64_t judged = 0;
  // Of the others, how many of each status.
  std::map<const Status*, int64_t> not_judged;
};

struct PageModel {
  // By status, gravest first, then by name.
  std::vector<Cell> cells;
  std::vector<SuiteCensus> suites;  // by name
};

// `history` is oldest first and outlives the model.
PageModel BuildPageModel(absl::Span<const RunResult> history);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_PAGE_MODEL_H_
