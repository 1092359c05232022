// Rows for tests that append many of them.
#ifndef ASSAY_REPORTS_STORE_TESTING_ROWS_H_
#define ASSAY_REPORTS_STORE_TESTING_ROWS_H_

#include "reports/render/run_result.h"

namespace assay::reports {

// What the rows of one run share.
RunResult HeaderForKilling();

// The same for the same number; with some hundred samples.
Row RowForKilling(int number);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_TESTING_ROWS_H_
