// CsvField and SplitCsvLine: write and read the fields of a CSV line as
// specified in RFC 4180.
#ifndef ASSAY_REPORTS_RENDER_CSV_FIELD_H_
#define ASSAY_REPORTS_RENDER_CSV_FIELD_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::reports {

// Returns `field` in double quotes if it
//   - contains a comma, a double quote or a line break,
//   - begins or ends with white space, or
//   - begins with `#`, which some readers interpret as a comment.
// Otherwise returns `field` unchanged.
std::string CsvField(absl::string_view field);

// Returns the fields of `line`, which must not contain a line break. If the
// line was made by joining results of CsvField() with commas, the fields are
// the arguments of CsvField(). A field whose quote is not closed ends at the
// end of the line.
std::vector<std::string> SplitCsvLine(absl::string_view line);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_CSV_FIELD_H_
