// RunCanary: tests whether comparisons on this machine are reliable at the
// moment. It compares a known kernel with a copy of itself, and with a copy
// that does 2 % more work. The test passes if the verdict on the first copy is
// neither regressed nor improved, and the verdict on the second copy is
// regressed. This takes one to two seconds if the first attempt passes.
#ifndef ASSAY_SUITES_COMPARISON_CANARY_H_
#define ASSAY_SUITES_COMPARISON_CANARY_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"

namespace assay::suites {

// Makes up to three attempts. Returns the first result that passes the test
// (reports::IsSound), or the result of the last attempt if none passes.
absl::StatusOr<reports::Canary> RunCanary(uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_CANARY_H_
