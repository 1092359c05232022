// ReadHistory: reads all runs of a store in a folder. RunsOf: makes runs of
// records.
#ifndef ASSAY_REPORTS_STORE_HISTORY_H_
#define ASSAY_REPORTS_STORE_HISTORY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "reports/store/record_log.h"

namespace assay::reports {

struct History {
  // The runs, ordered by start time. The rows of a run are in the order of
  // their places (Record::place), and rows with the same place in the order in
  // which they were completed. A run that was killed and resumed is one
  // element, with the environment in which the run was started. An unfinished
  // run has the rows that were recorded so far.
  std::vector<RunResult> runs;
  // Lines of the log that were skipped because they are not valid records.
  std::vector<CorruptRecord> corrupt_records;
};

// Reads all records of the store in `folder`. Returns NotFound if the folder
// does not exist.
absl::StatusOr<History> ReadHistory(const std::string& folder);

// Returns the runs of the records of a store, in the order of History::runs.
// Each record must occur once. Records of a run with the same place must be in
// the order in which they were completed.
std::vector<RunResult> RunsOf(std::vector<Record> records);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_HISTORY_H_
