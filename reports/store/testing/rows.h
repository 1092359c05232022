// Rows for kill_test.
#ifndef ASSAY_REPORTS_STORE_TESTING_ROWS_H_
#define ASSAY_REPORTS_STORE_TESTING_ROWS_H_

#include "reports/result/run_result.h"

namespace assay::reports {

// The common part of all records.
RunResult KillTestHeader();

// A row with some hundred samples; a deterministic function of `number`.
Row KillTestRow(int number);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_TESTING_ROWS_H_
