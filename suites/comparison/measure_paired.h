// MeasurePaired: compares two programs of one model until it is known which one
// is faster or that they are equally fast, or until the budget is spent.
//
// suites/comparison/paired_loads.h describes the measurement,
// reports/stats/paired_verdict.h the verdict and when it is final.
#ifndef ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_
#define ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/stats/paired_verdict.h"
#include "runtime/base/clock.h"
#include "suites/comparison/paired_loads.h"
#include "suites/comparison/program_pair.h"

namespace assay::suites {

// Seconds of measurement: the budget of the comparison itself, and the unused
// budget of others, which is used only if it likely suffices for a verdict.
struct TimeBudget {
  double own_s = 0;
  double more_s = 0;
};

// Loads both programs until the verdict on the second is final or the budget is
// spent.
absl::StatusOr<stats::PairedVerdict> RunToVerdict(
    PairedLoads& loads, const stats::PairedOptions& options,
    const TimeBudget& budget);

struct PairedLimits {
  stats::PairedOptions test;
  // A load that has begun is completed.
  TimeBudget budget = {20};
  uint64_t seed = 0;
};

struct PairedMeasurement {
  stats::PairedVerdict verdict;
  // As in PairedLoads.
  std::vector<double> base_ns;
  std::vector<double> run_ns;
  std::vector<int64_t> rounds_per_load;
  double spent_s = 0;
};

absl::StatusOr<PairedMeasurement> MeasurePaired(PairLoader loader,
                                                const PairedLimits& limits,
                                                Clock* clock);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_
