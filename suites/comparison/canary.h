// RunCanary: tests whether comparisons on a device can be trusted right now.
// Compares a known program with a twin, which must not be judged improved or
// regressed, and with a twin that does 2 % more work, which must be judged
// regressed. Does so twice, with the runner and the number of threads with
// which the rows of the results are compared. Each comparison takes at most
// kTrialSeconds. On a machine on which loads differ much, one with the slower
// twin takes the time that a verdict needs there (run_to_verdict.h), but at
// most kMaxTrialSeconds.
#ifndef ASSAY_SUITES_COMPARISON_CANARY_H_
#define ASSAY_SUITES_COMPARISON_CANARY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "runtime/base/clock.h"
#include "runtime/measure/session.h"
#include "suites/comparison/run_to_verdict.h"
#include "suites/comparison/subject.h"

namespace assay::suites {

struct CanaryMode {
  runtime::Runner* runner = nullptr;
  int threads = 1;
  // The target of programs for the device of the runner.
  std::string target = kHostTarget;
  // Must be the clock of the runner. Tests set it.
  Clock* clock = Clock::Monotonic();
  // As in RunToVerdict(); may be null.
  OnEstimate on_estimate = nullptr;
};

// Time limits of one comparison. The larger one is for the twin that does more
// work, on machines that need more time to detect it. The other twin does not
// need more time, because an inconclusive verdict is right for it.
constexpr double kTrialSeconds = 5;
constexpr double kMaxTrialSeconds = 300;

// Returns the trials. The device can be trusted if all have the right verdict
// (IsSound). There are no trials after a wrong verdict, because they could not
// change this result.
absl::StatusOr<std::vector<reports::CanaryTrial>> RunCanary(
    const CanaryMode& mode, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_CANARY_H_
