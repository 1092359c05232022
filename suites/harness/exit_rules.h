// ExitCodeOfRun: the exit code of a suite, from the verdicts of its rows.
#ifndef ASSAY_SUITES_HARNESS_EXIT_RULES_H_
#define ASSAY_SUITES_HARNESS_EXIT_RULES_H_

#include "reports/result/run_result.h"
#include "runtime/base/exit_code.h"

namespace assay::suites {

// Requirements on a run.
struct ExitRules {
  // Every row needs a baseline.
  bool require_baseline = false;
  // At least one row must be judged (stats::IsJudgement).
  bool must_judge = false;
  // The times of this run become the baseline, so a difference from the old
  // baseline is not a failure.
  bool blessing = false;
};

// The most severe exit code of all rows (MoreSevere()). A run without rows is
// kInfrastructure.
ExitCode ExitCodeOfRun(const reports::RunResult& result,
                       const ExitRules& rules);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_EXIT_RULES_H_
