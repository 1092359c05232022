// Record: one finished row of a run as the store keeps it: one line of text.
//
//   {"id":"<64 hex digits>","run":"…","job":"…","cell":"…","result":{…}}
//
// `id` is the SHA-256 of everything after the comma that follows it, up to the
// end of the line: name of the record and checksum at once. Equal records have
// equal ids wherever they were written, and a line that was cut short or
// changed is not the one its id names. `result` is results.json
// (reports/render) with this one row.
#ifndef ASSAY_REPORTS_STORE_RECORD_H_
#define ASSAY_REPORTS_STORE_RECORD_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/render/run_result.h"

namespace assay::reports {

struct Record {
  // The run that the row is of: a name that no other run has.
  std::string run;
  // What makes two runs the same work: a run that was killed is continued by
  // one of the same job.
  std::string job;
  // Which part of the run's work this is. Empty in the record that says that
  // the run is finished, which has no row.
  std::string cell;
  // With one row, or none.
  RunResult result;
};

bool operator==(const Record& a, const Record& b);

// The line, with its line break. Bytes that are not UTF-8 are replaced.
std::string FormatRecord(const Record& record);

// Of a line with or without its line break. Anything but what FormatRecord()
// gives is an error, which says what is wrong: OutOfRange where the line is
// whole, but of another version of this program.
absl::StatusOr<Record> ParseRecord(absl::string_view line);

// The id in a line that ParseRecord() accepts.
absl::string_view IdOf(absl::string_view line);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RECORD_H_
