// results.csv: one line per row for spreadsheets and shell tools, a column per
// field of row_fields.h, quoted according to RFC 4180.
#ifndef ASSAY_REPORTS_RENDER_RESULTS_CSV_H_
#define ASSAY_REPORTS_RENDER_RESULTS_CSV_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

std::string ResultsCsv(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_RESULTS_CSV_H_
