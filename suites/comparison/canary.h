// RunCanary: tests whether comparisons on this machine can be trusted right
// now. Compares a known kernel with a copy of itself, which must not be called
// different, and with one that does 2 % more work, which must be called slower.
// Takes one to two seconds.
#ifndef ASSAY_SUITES_COMPARISON_CANARY_H_
#define ASSAY_SUITES_COMPARISON_CANARY_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"

namespace assay::suites {

// Returns the first passing result of several attempts, or else the last one.
absl::StatusOr<reports::Canary> RunCanary(uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_CANARY_H_
