// Record: the representation of one completed row of a run in the store, as one
// line of JSON.
//
//   {"id":"<64 hex digits>","run":"…","job":"…","cell":"…","result":{…}}
//
// `id` is the SHA-256 of the text after the comma that follows it, up to the
// end of the line. It is both a content-based name, equal for equal records
// from any machine, and a checksum that detects truncated and modified lines.
// `result` is a results.json (reports/render) with one row.
#ifndef ASSAY_REPORTS_STORE_RECORD_H_
#define ASSAY_REPORTS_STORE_RECORD_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

struct Record {
  // A unique name of the run.
  std::string run;
  // Identifies the work of the run: a killed run can be resumed only by a run
  // with the same job.
  std::string job;
  // Identifies the row within the job. Empty in the final record of a run,
  // which has no row.
  std::string cell;
  // Has one row; in a final record none.
  RunResult result;
};

bool operator==(const Record& a, const Record& b);

// Returns the line with its line break. Bytes that are not UTF-8 are replaced.
std::string FormatRecord(const Record& record);

// Parses a line with or without its line break; the inverse of FormatRecord().
// Errors: OutOfRange if the checksum is correct but the format is that of
// another version of this program; DataLoss if the checksum is wrong;
// InvalidArgument if the line is not a record.
absl::StatusOr<Record> ParseRecord(absl::string_view line);

// The id of a line that ParseRecord() accepts.
absl::string_view IdOf(absl::string_view line);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RECORD_H_
