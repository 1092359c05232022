// Bisect: the work of //ci:bisect. See ci/docs/bisect.md.
#ifndef ASSAY_CI_BISECT_BISECT_H_
#define ASSAY_CI_BISECT_BISECT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ci/bisect/report.h"
#include "ci/bisect/search/cell_bisection.h"
#include "ci/bisect/workbench.h"

namespace assay::ci {

struct BisectOptions {
  // `key` and the callbacks are ignored.
  WorkbenchOptions bench;
  std::string good;
  std::string bad;
  // Commits that are not built.
  std::vector<std::string> skip;
  // Folders of stores that may know the code of commits (ledger.h).
  std::vector<std::string> stores;
  // `cell` and `weights` are ignored.
  CellOptions cell;
  // If true, and if a culprit is a merge, the commits that it merged are
  // bisected, too.
  bool descend = false;
  // Seconds after which no other build is started: Bisect() then returns
  // DeadlineExceeded, and a later call continues.
  std::optional<double> time_limit_s;
  // If true, only says what would be built.
  bool dry_run = false;
};

struct BisectOutcome {
  std::string folder;  // of the job
  // Missing for a dry run.
  std::optional<BisectReport> report;
};

// Says on standard error what it is going to do and what it does. Writes
// report.md and report.json to the folder of the job. Returns InvalidArgument
// if the ends are no commits or are not in this order.
absl::StatusOr<BisectOutcome> Bisect(const BisectOptions& options);

// The result of BisectStep(), which `git bisect run` acts on.
enum class StepResult { kGood, kBad, kSkip };

// Compares the cells of `options.bad` with those of `options.good`: the commit
// is bad if one of them is worse. It is skipped if it cannot be built, although
// the good end can, or if a measurement is undecided. The commits may be in any
// order.
absl::StatusOr<StepResult> BisectStep(const BisectOptions& options);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_BISECT_H_
