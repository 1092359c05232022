// RunCanary: can this session tell what it is about to be asked? A known kernel
// against a copy of itself, which must not be called different, and against one
// that does 2 % more work, which must be called slower. Takes a second or two.
#ifndef ASSAY_SUITES_COMPARISON_CANARY_H_
#define ASSAY_SUITES_COMPARISON_CANARY_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"

namespace assay::suites {

// Of several attempts the first that is sound, else the last.
absl::StatusOr<reports::Canary> RunCanary(uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_CANARY_H_
