// ReadForSummary: reads the members of a record that a summary needs
// (summarize.h), several times as fast as ParseRecord().
//
// It reads what this version of FormatRecord() writes. A line that it does not
// recognize may still be a record, which ParseRecord() can tell. Members that a
// summary does not need are skipped, so ParseRecord() may reject a record that
// was read here.
#ifndef ASSAY_REPORTS_STORE_SUMMARY_SUMMARY_READER_H_
#define ASSAY_REPORTS_STORE_SUMMARY_SUMMARY_READER_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "reports/store/record.h"

namespace assay::reports {

// Verifies the checksum of a line without line break, and returns the record
// with one row. Returns nullopt if the line is not recognized.
std::optional<Record> ReadForSummary(absl::string_view line);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_SUMMARY_SUMMARY_READER_H_
