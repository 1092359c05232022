// Results for the tests of the renderings.
#ifndef ASSAY_REPORTS_RESULT_TESTING_SAMPLE_RESULT_H_
#define ASSAY_REPORTS_RESULT_TESTING_SAMPLE_RESULT_H_

#include <cstdint>

#include "reports/result/run_result.h"

namespace assay::reports {

// Five rows that differ in every way a renderer cares about: passed, emulated,
// refused for a wrong output, regressed, compared side by side.
RunResult SampleResult();

// Arbitrary but valid: any verdict, any member absent, awkward text.
RunResult RandomResult(uint64_t seed);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_TESTING_SAMPLE_RESULT_H_
