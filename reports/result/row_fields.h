// FieldsOf: returns the fields of a row as (name, string) pairs, for untyped
// formats such as CSV.
//
// Each field has the name that its value has in results.json (results_json.h).
// Members of `paired` have the prefix `paired_`. `samples` and `paired_samples`
// are the numbers of samples; the samples themselves are omitted. Of the tail
// of `paired`, only `tail_slower` and `tail_log_e` are included. The times of
// operators, the attribution of a change to kernels, `blocks`, `parity`,
// `no_reference` and `no_second_opinion` are omitted as well. The value of a
// missing field is the empty string. Numbers have the fewest digits with which
// they are parsed as the same double.
#ifndef ASSAY_REPORTS_RESULT_ROW_FIELDS_H_
#define ASSAY_REPORTS_RESULT_ROW_FIELDS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

// The (name, string) pairs. Their names and their order are the same for all
// rows.
using RowFields = std::vector<std::pair<absl::string_view, std::string>>;

RowFields FieldsOf(const Row& row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_ROW_FIELDS_H_
