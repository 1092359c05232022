// FieldsOf: a row as text, for renderings that know no types: the members of
// results.json by the same names, without the samples, of which only the number
// is given, and without the operators; those of `paired` are led by `paired_`;
// empty where a value is not there. Numbers have the fewest digits that read
// back as the same double.
#ifndef ASSAY_REPORTS_RESULT_ROW_FIELDS_H_
#define ASSAY_REPORTS_RESULT_ROW_FIELDS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

// In one order for all rows.
using RowFields = std::vector<std::pair<absl::string_view, std::string>>;

RowFields FieldsOf(const Row& row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_ROW_FIELDS_H_
