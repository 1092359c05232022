// What a suite tells the program that called it. A script can tell a slower
// program from a broken machine, and "nothing was measured" is never success.
#ifndef ASSAY_SUITES_HARNESS_EXIT_CODE_H_
#define ASSAY_SUITES_HARNESS_EXIT_CODE_H_

#include "absl/status/status.h"
#include "reports/render/run_result.h"

namespace assay::suites {

enum class ExitCode : int {
  kPass = 0,
  kRegression = 1,
  // A flag, a model, a device file or a baseline file is not usable.
  kUsage = 2,
  // Measured, but nothing follows from it: too few samples, too much scatter,
  // a changed environment, or no baseline where one was required.
  kInconclusive = 3,
  kWrongResult = 4,
  // The device or the machinery failed, or nothing was measured.
  kInfrastructure = 5,
};

// What is expected of a run.
struct ExitRules {
  // Every row has something to be compared with.
  bool require_baseline = false;
  // At least one row is judged (stats::IsJudgement).
  bool must_judge = false;
  // Times that differ from the old baseline are what is wanted: only wrong,
  // failed and inconclusive rows count.
  bool blessing = false;
};

// How a run came out as a whole: the gravest of its rows, in the order wrong
// result, infrastructure, regression, inconclusive, pass. A wrong result comes
// first because it puts every time in doubt; failed infrastructure comes
// before a regression because a run that is not whole is to be repeated first.
// No rows at all is infrastructure.
ExitCode ExitCodeOf(const reports::RunResult& result, const ExitRules& rules);

// The graver of the two; of all, kUsage is the gravest.
ExitCode WorseOf(ExitCode a, ExitCode b);

// For an error that kept a run from starting: what the user gave is kUsage,
// what the machine did is kInfrastructure.
ExitCode ExitCodeOf(const absl::Status& error);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_EXIT_CODE_H_
