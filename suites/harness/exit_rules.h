// ExitCodeOfRun: computes the exit code of a suite from the verdicts of its
// rows.
#ifndef ASSAY_SUITES_HARNESS_EXIT_RULES_H_
#define ASSAY_SUITES_HARNESS_EXIT_RULES_H_

#include "reports/result/run_result.h"
#include "runtime/base/exit_code.h"

namespace assay::suites {

// Requirements on a run.
struct ExitRules {
  // If true, the exit code of a row with the verdict kNoBaseline or kEmulated
  // is kInconclusive, unless `blessing` is set.
  bool require_baseline = false;
  // If true, the exit code of a run without any judged row
  // (stats::IsJudgement) is at least as severe as kInconclusive.
  bool must_judge = false;
  // True if the times of this run become the baseline. A regression from the
  // old baseline or a changed environment is then not a failure.
  bool blessing = false;
};

// Returns the most severe exit code of all rows (MoreSevere()), or
// kInfrastructure if the run has no rows.
ExitCode ExitCodeOfRun(const reports::RunResult& result,
                       const ExitRules& rules);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_EXIT_RULES_H_
