// ParseRecordHead: reads the part of a record that an index needs.
//
// The members of a record that say what it is about precede its samples, so
// reading stops long before the end of the line. This is several times as fast
// as ParseRecord().
#ifndef ASSAY_REPORTS_STORE_RECORD_HEAD_H_
#define ASSAY_REPORTS_STORE_RECORD_HEAD_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace assay::reports {

// The members of Record, RunResult and Row with these names.
struct RecordHead {
  std::string run;
  std::string started_at;
  std::string commit;
  std::string suite;
  std::string model;
  std::string device;
};

// Verifies the checksum of a line (checked_line.h) and reads the head. Returns
// nullopt if the line is not certainly a record with a row, which only
// ParseRecord() can tell. The reverse is not true: ParseRecord() may reject
// what follows the head, if another version of this program wrote it.
std::optional<RecordHead> ParseRecordHead(absl::string_view line);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_RECORD_HEAD_H_
