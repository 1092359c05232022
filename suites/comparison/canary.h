// RunCanary: tests whether comparisons on a device can be trusted right now.
// Compares a known kernel with a twin, which must not be called different, and
// with a twin that does 2 % more work, which must be called slower, in the way
// in which rows are compared: with the same runner and number of threads. Takes
// a few seconds, and on a machine on which loads differ much, the time that a
// verdict needs there (run_to_verdict.h), at most kMaxTrialSeconds.
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

// Time limits of one of the comparisons: the usual one, and that of a twin with
// more work on a machine that needs more time to see it. Twins without a
// difference may be inconclusive.
constexpr double kTrialSeconds = 5;
constexpr double kMaxTrialSeconds = 300;

// Returns the trials. Each must have the right verdict (IsSound). After a wrong
// one, there are no more, because they could not change the result.
absl::StatusOr<std::vector<reports::CanaryTrial>> RunCanary(
    const CanaryMode& mode, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_CANARY_H_
