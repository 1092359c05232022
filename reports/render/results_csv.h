// ResultsCsv: renders a RunResult as CSV for spreadsheets and shell tools. The
// first line has the names of the columns. Each further line is a row of the
// result. The columns are the fields of result/row_fields.h. Fields are quoted
// as described in csv_field.h.
#ifndef ASSAY_REPORTS_RENDER_RESULTS_CSV_H_
#define ASSAY_REPORTS_RENDER_RESULTS_CSV_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

std::string ResultsCsv(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_RESULTS_CSV_H_
