// CsvField: quotes one field of a CSV line according to RFC 4180.
#ifndef ASSAY_REPORTS_RENDER_CSV_FIELD_H_
#define ASSAY_REPORTS_RENDER_CSV_FIELD_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay::reports {

// Returns the field in quotes if it contains a comma, a quote or a line break,
// begins or ends with space, or begins with `#`, which readers may take for a
// comment.
std::string CsvField(absl::string_view field);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_CSV_FIELD_H_
