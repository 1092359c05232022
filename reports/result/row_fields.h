// FieldsOf: a row as named texts, for renderings without types. The names are
// those of the members in results.json, with the prefix `paired_` for members
// of `paired`. Of the samples only the number is given, and operators are left
// out. A missing value is empty. Numbers have the fewest digits that read back
// as the same double.
#ifndef ASSAY_REPORTS_RESULT_ROW_FIELDS_H_
#define ASSAY_REPORTS_RESULT_ROW_FIELDS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

// In the same order for all rows.
using RowFields = std::vector<std::pair<absl::string_view, std::string>>;

RowFields FieldsOf(const Row& row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_ROW_FIELDS_H_
