// ReadHistory: all runs that a store holds.
#ifndef ASSAY_REPORTS_STORE_HISTORY_H_
#define ASSAY_REPORTS_STORE_HISTORY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/render/run_result.h"
#include "reports/store/record_log.h"

namespace assay::reports {

struct History {
  // By when they started; of each the rows in the order finished. A run that
  // was killed and continued is one run, in the environment where it started;
  // one that still goes on, or never went on, has the rows it has.
  std::vector<RunResult> runs;
  // Of the log: lines that could not be read, which are left out.
  std::vector<Damage> damages;
};

// NotFound if there is no such folder; no runs if it is empty.
absl::StatusOr<History> ReadHistory(const std::string& folder);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_HISTORY_H_
