// KillTestHeader and KillTestRow: deterministic test data for kill_test.
#ifndef ASSAY_REPORTS_STORE_TESTING_ROWS_H_
#define ASSAY_REPORTS_STORE_TESTING_ROWS_H_

#include "reports/result/run_result.h"

namespace assay::reports {

// Returns the RunResult, without rows, that all records of the test have in
// common.
RunResult KillTestHeader();

// Returns a row with 100 to 400 samples. The row is a deterministic function of
// `number`.
Row KillTestRow(int number);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_TESTING_ROWS_H_
