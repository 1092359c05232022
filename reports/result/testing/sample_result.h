// Sample results for tests.
#ifndef ASSAY_REPORTS_RESULT_TESTING_SAMPLE_RESULT_H_
#define ASSAY_REPORTS_RESULT_TESTING_SAMPLE_RESULT_H_

#include <cstdint>

#include "reports/result/run_result.h"

namespace assay::reports {

// Five rows that cover all cases of renderers: passed, emulated, wrong output,
// regressed, and compared side by side.
RunResult SampleResult();

// A random valid result with any verdict, missing values and text that needs
// escaping.
RunResult RandomResult(uint64_t seed);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_TESTING_SAMPLE_RESULT_H_
