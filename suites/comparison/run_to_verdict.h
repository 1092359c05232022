// RunToVerdict: compares two programs of one model until it is known which one
// is faster or that they are equally fast, or until the budget is spent.
//
// suites/comparison/paired_loads.h describes the measurement,
// reports/stats/paired_judge.h the verdict and when it is final.
#ifndef ASSAY_SUITES_COMPARISON_RUN_TO_VERDICT_H_
#define ASSAY_SUITES_COMPARISON_RUN_TO_VERDICT_H_

#include "absl/status/statusor.h"
#include "reports/stats/paired_judge.h"
#include "suites/comparison/paired_loads.h"

namespace assay::suites {

// Seconds of measurement: the budget of the comparison itself, and the unused
// budget of others, which is used only if it likely suffices for a verdict.
struct TimeBudget {
  double own_s = 0;
  double more_s = 0;
};

// Loads both programs until the outcome is final or the budget is spent.
absl::StatusOr<stats::PairedOutcome> RunToVerdict(
    PairedLoads& loads, const stats::PairedOptions& options,
    const TimeBudget& budget);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_RUN_TO_VERDICT_H_
