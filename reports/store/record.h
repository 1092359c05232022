// Record: one completed row of a run, or the final record of a run. In the
// store, a record is one line of JSON:
//
//   {"id":"<64 hex digits>","run":"…","job":"…","cell":"…","place":3,
//    "result":{…}}
//
// `id` is the SHA-256 of the text from `"run"` to the end of the line, without
// the line break (checked_line.h): equal records have equal ids on all
// machines. `result` has the format of results.json
// (reports/result/results_json.h).
#ifndef ASSAY_REPORTS_STORE_RECORD_H_
#define ASSAY_REPORTS_STORE_RECORD_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

struct Record {
  // A unique name of the run.
  std::string run;
  // Identifies the work of the run. A process can resume a killed run only if
  // the jobs are equal.
  std::string job;
  // Identifies the row within the job. Empty in the final record of a run.
  std::string cell;
  // Contains one row, or no row in the final record of a run.
  RunResult result;
  // The position of the row in the run. Rows may be recorded in another order.
  // 0 if an earlier version wrote the record, which then has no `place`.
  int64_t place = 0;
};

bool operator==(const Record& a, const Record& b);

// Returns the line of the record, including the line break. Bytes that are not
// UTF-8 are replaced by U+FFFD.
std::string FormatRecord(const Record& record);

// Parses the output of FormatRecord(), with or without the line break. Returns
//   - InvalidArgument if the line does not have the form of a record;
//   - DataLoss if the checksum is wrong;
//   - OutOfRange if the checksum is correct but the record cannot be parsed,
//     for example because another version of this program wrote it.
absl::StatusOr<Record> ParseRecord(absl::string_view line);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RECORD_H_
