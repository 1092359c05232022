#include "suites/comparison/measure_paired.h"

#include <utility>

#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<stats::PairedVerdict> RunToVerdict(
    Sampler& sampler, const stats::PairedOptions& options,
    const TimeBudget& budget) {
  stats::PairedTest test(options);
  while (true) {
    ASSAY_RETURN_IF_ERROR(sampler.RunBlock());
    for (const double ratio : sampler.LogRatios(1, test.count())) {
      test.Add(ratio);
    }
    const double spent_s = static_cast<double>(sampler.spent_nanos()) * 1e-9;
    stats::PairedVerdict verdict = test.Judge(stats::Budget::kLeft);
    if (verdict.final) return verdict;
    if (spent_s < budget.own_s) continue;
    const double needed_s = spent_s + verdict.pairs_to_go * spent_s /
                                          static_cast<double>(verdict.count);
    // This is also true if the estimate was too low and all time is spent.
    if (needed_s > budget.own_s + budget.more_s) {
      return test.Judge(stats::Budget::kSpent);
    }
  }
}

absl::StatusOr<PairedMeasurement> MeasurePaired(const Contender& base,
                                                const Contender& run,
                                                const PairedLimits& limits,
                                                Clock* clock) {
  SamplingOptions options;
  options.seed = limits.seed;
  options.begin_round = limits.begin_round;
  Sampler sampler({base, run}, std::move(options), clock);
  PairedMeasurement result;
  ASSAY_ASSIGN_OR_RETURN(result.verdict,
                         RunToVerdict(sampler, limits.test, limits.budget));
  result.spent_s = static_cast<double>(sampler.spent_nanos()) * 1e-9;
  result.base_ns = sampler.samples_ns(0);
  result.run_ns = sampler.samples_ns(1);
  return result;
}

}  // namespace assay::suites
