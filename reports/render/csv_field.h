// CsvField: one field of a CSV line as RFC 4180 has it.
#ifndef ASSAY_REPORTS_RENDER_CSV_FIELD_H_
#define ASSAY_REPORTS_RENDER_CSV_FIELD_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay::reports {

// In quotes where it must be: a comma, a quote or a line break inside, space at
// either end, or a `#` in front, which readers may take for a comment.
std::string CsvField(absl::string_view field);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_CSV_FIELD_H_
