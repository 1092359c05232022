// Bisect: the work of //ci:bisect. See ci/docs/bisect.md.
#ifndef ASSAY_CI_BISECT_BISECT_H_
#define ASSAY_CI_BISECT_BISECT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ci/bisect/report.h"
#include "ci/bisect/search/cell_bisection.h"

namespace assay::ci {

struct BisectOptions {
  // The folder of the repository from which the bisection was started.
  std::string workspace;
  std::string good;
  std::string bad;
  std::vector<std::string> skip;
  std::string suite = "full";
  // Patterns of --cells. If the list is empty, all cells are bisected.
  std::vector<std::string> cells;
  // Other flags of the suite.
  std::vector<std::string> flags;
  std::optional<Metric> metric;
  double min_change = 0.01;
  double max_error = 0.01;
  double budget_s = 30;
  // The folder of the job, or empty for one in the user's cache, which depends
  // on the ends, the cells, the suite and its flags. A job that was interrupted
  // continues in its folder.
  std::string out;
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

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_BISECT_H_
