// RunCanary: tests whether comparisons on a device can be trusted right now.
// Compares a known kernel with a twin, which must not be called different, and
// with a twin that does 2 % more work, which must be called slower, in the way
// in which rows are compared: with the same runner and number of threads. Takes
// a few seconds.
#ifndef ASSAY_SUITES_COMPARISON_CANARY_H_
#define ASSAY_SUITES_COMPARISON_CANARY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "runtime/measure/session.h"
#include "suites/comparison/subject.h"

namespace assay::suites {

struct CanaryMode {
  runtime::Runner* runner = nullptr;
  int threads = 1;
  // The target of programs for the device of the runner.
  std::string target = kHostTarget;
};

// Returns all trials. Each must have the right verdict (IsSound).
absl::StatusOr<std::vector<reports::CanaryTrial>> RunCanary(
    const CanaryMode& mode, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_CANARY_H_
