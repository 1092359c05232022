// CsvField: quotes one field of a CSV line as specified in RFC 4180.
#ifndef ASSAY_REPORTS_RENDER_CSV_FIELD_H_
#define ASSAY_REPORTS_RENDER_CSV_FIELD_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay::reports {

// Returns `field` in double quotes if it
//   - contains a comma, a double quote or a line break,
//   - begins or ends with white space, or
//   - begins with `#`, which some readers interpret as a comment.
// Otherwise returns `field` unchanged.
std::string CsvField(absl::string_view field);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_CSV_FIELD_H_
