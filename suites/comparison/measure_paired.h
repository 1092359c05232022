// MeasurePaired: compares two programs of one model, measured in alternation,
// until it is known which one is faster or that they are equally fast, or until
// the budget is spent.
//
// suites/sampling/sampler.h describes the measurement,
// reports/stats/paired_verdict.h the verdict and when it is final.
#ifndef ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_
#define ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/stats/paired_verdict.h"
#include "runtime/base/clock.h"
#include "suites/sampling/sampler.h"

namespace assay::suites {

// Seconds of measurement: the budget of the comparison itself, and the unused
// budget of others, which is used only if it likely suffices for a verdict.
struct TimeBudget {
  double own_s = 0;
  double more_s = 0;
};

// Runs blocks of a new sampler of two contenders until the verdict on the
// second is final or the budget is spent.
absl::StatusOr<stats::PairedVerdict> RunToVerdict(
    Sampler& sampler, const stats::PairedOptions& options,
    const TimeBudget& budget);

struct PairedLimits {
  stats::PairedOptions test;
  // A block that has begun is completed.
  TimeBudget budget = {20};
  uint64_t seed = 0;
  // As in SamplingOptions.
  std::function<absl::Status(int64_t round)> begin_round;
};

struct PairedMeasurement {
  stats::PairedVerdict verdict;
  // Nanoseconds per run, by round.
  std::vector<double> base_ns;
  std::vector<double> run_ns;
  double spent_s = 0;
};

absl::StatusOr<PairedMeasurement> MeasurePaired(const Contender& base,
                                                const Contender& run,
                                                const PairedLimits& limits,
                                                Clock* clock);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_
