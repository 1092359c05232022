#include "suites/comparison/run_to_verdict.h"

#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<stats::PairedOutcome> RunToVerdict(
    PairedLoads& loads, const stats::PairedOptions& options,
    const TimeBudget& budget) {
  stats::PairedJudge judge(options);
  while (true) {
    ASSAY_RETURN_IF_ERROR(loads.RunLoad());
    judge.Add(loads.loads().back().Ratios());
    const double spent_s = static_cast<double>(loads.spent_nanos()) * 1e-9;
    const stats::PairedOutcome outcome = judge.Judge(stats::Budget::kLeft);
    const stats::PairedVerdict& verdict = outcome.verdict;
    if (verdict.final) return outcome;
    if (spent_s < budget.own_s) continue;
    const double needed_s = spent_s + verdict.loads_to_go * spent_s /
                                          static_cast<double>(verdict.count);
    // This is also true if the estimate was too low and all time is spent.
    if (needed_s > budget.own_s + budget.more_s) {
      return judge.Judge(stats::Budget::kSpent);
    }
  }
}

}  // namespace assay::suites
