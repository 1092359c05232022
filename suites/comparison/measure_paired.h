// MeasurePaired: two sessions of one model measured side by side until it is
// clear which is faster, or that neither is, or the time is up.
//
// How: suites/comparison/paired_sampler.h. When it ends and what it says:
// reports/stats/paired_verdict.h.
#ifndef ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_
#define ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/stats/paired_verdict.h"
#include "runtime/base/clock.h"
#include "suites/comparison/paired_sampler.h"
#include "suites/harness/services.h"

namespace assay::suites {

struct PairedLimits {
  stats::PairedOptions test;
  // Of measuring; what has begun is brought to its end.
  TimeBudget budget = {20};
  uint64_t seed = 0;
};

struct PairedMeasurement {
  stats::PairedVerdict verdict;
  // By round.
  std::vector<double> base_ms;
  std::vector<double> run_ms;
  double spent_s = 0;
};

absl::StatusOr<PairedMeasurement> MeasurePaired(Session* base, Session* run,
                                                const PairedLimits& limits,
                                                Clock* clock);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_
