// ReadHistory: reads all runs of a store.
#ifndef ASSAY_REPORTS_STORE_HISTORY_H_
#define ASSAY_REPORTS_STORE_HISTORY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "reports/store/record_log.h"

namespace assay::reports {

struct History {
  // Ordered by start time; the rows of a run in the order of completion. A run
  // that was killed and resumed is one run, with the environment in which it
  // started. Unfinished runs have the rows recorded so far.
  std::vector<RunResult> runs;
  // Lines of the log that were skipped because they are not valid records.
  std::vector<CorruptRecord> corrupt_records;
};

// Returns NotFound if the folder does not exist. An empty folder has no runs.
absl::StatusOr<History> ReadHistory(const std::string& folder);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_HISTORY_H_
