// results.csv: one line per row for spreadsheets and shell tools. The columns
// are the members of results.json by the same names without the samples, of
// which only the number is given, and without the operators; a value that is
// not there is an empty field. Fields are quoted as RFC 4180 has it.
#ifndef ASSAY_REPORTS_RENDER_RESULTS_CSV_H_
#define ASSAY_REPORTS_RENDER_RESULTS_CSV_H_

#include <string>

#include "reports/render/run_result.h"

namespace assay::reports {

std::string ResultsCsv(const RunResult& result);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_RESULTS_CSV_H_
