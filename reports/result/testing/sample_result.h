// SampleResult and RandomResult: results for tests.
#ifndef ASSAY_REPORTS_RESULT_TESTING_SAMPLE_RESULT_H_
#define ASSAY_REPORTS_RESULT_TESTING_SAMPLE_RESULT_H_

#include <cstdint>

#include "reports/result/run_result.h"

namespace assay::reports {

// Returns a result with five rows, which have the verdicts pass, emulated,
// wrong_output, regressed (against a baseline) and equivalent (in a paired
// comparison).
RunResult SampleResult();

// Returns a result with an untuned row and a tuned row that is compared with
// it.
RunResult TunedResult();

// Returns a random valid result. The result may have any verdicts, missing
// values, and text that needs escaping.
RunResult RandomResult(uint64_t seed);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_TESTING_SAMPLE_RESULT_H_
