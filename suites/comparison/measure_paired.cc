#include "suites/comparison/measure_paired.h"

#include <utility>

#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<stats::PairedVerdict> RunToVerdict(
    PairedLoads& loads, const stats::PairedOptions& options,
    const TimeBudget& budget) {
  stats::PairedTest test(options);
  while (true) {
    ASSAY_RETURN_IF_ERROR(loads.RunLoad());
    test.Add(loads.log_ratios().back());
    const double spent_s = static_cast<double>(loads.spent_nanos()) * 1e-9;
    stats::PairedVerdict verdict = test.Judge(stats::Budget::kLeft);
    if (verdict.final) return verdict;
    if (spent_s < budget.own_s) continue;
    const double needed_s = spent_s + verdict.loads_to_go * spent_s /
                                          static_cast<double>(verdict.count);
    // This is also true if the estimate was too low and all time is spent.
    if (needed_s > budget.own_s + budget.more_s) {
      return test.Judge(stats::Budget::kSpent);
    }
  }
}

absl::StatusOr<PairedMeasurement> MeasurePaired(PairLoader loader,
                                                const PairedLimits& limits,
                                                Clock* clock) {
  SamplingOptions sampling;
  sampling.seed = limits.seed;
  PairedLoads loads(std::move(loader), std::move(sampling), clock);
  PairedMeasurement result;
  ASSAY_ASSIGN_OR_RETURN(result.verdict,
                         RunToVerdict(loads, limits.test, limits.budget));
  result.spent_s = static_cast<double>(loads.spent_nanos()) * 1e-9;
  result.base_ns = loads.base_ns();
  result.run_ns = loads.run_ns();
  result.rounds_per_load = loads.rounds_per_load();
  return result;
}

}  // namespace assay::suites
