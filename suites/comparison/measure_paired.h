// MeasurePaired: compares two programs of one model. It measures the programs
// in alternation until the verdict is final or the budget is spent.
//
// suites/sampling/sampler.h describes the measurement.
// reports/stats/paired_verdict.h describes the verdict and states when it is
// final.
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

// A TimeBudget limits the time of a comparison, in seconds.
struct TimeBudget {
  // Budget of this comparison.
  double own_s = 0;
  // Budget that other comparisons have not used. It is used only if own_s is
  // spent and own_s + more_s is expected to suffice for a final verdict.
  double more_s = 0;
};

// Runs blocks of `sampler` until the verdict on the second contender is final
// or the budget is spent. Requires that `sampler` has two contenders and has
// not run yet.
absl::StatusOr<stats::PairedVerdict> RunToVerdict(
    Sampler& sampler, const stats::PairedOptions& options,
    const TimeBudget& budget);

struct PairedLimits {
  stats::PairedOptions test;
  // The budget can be exceeded by part of a block, because a block that has
  // begun is completed.
  TimeBudget budget = {20};
  uint64_t seed = 0;  // seed of the order of samples
  // The value of SamplingOptions::begin_round (suites/sampling/sampler.h).
  std::function<absl::Status(int64_t round)> begin_round;
};

struct PairedMeasurement {
  stats::PairedVerdict verdict;
  // The samples of `base` and of `run`. Element i is the sample of round i: the
  // mean time of its runs in nanoseconds.
  std::vector<double> base_ns;
  std::vector<double> run_ns;
  double spent_s = 0;  // time spent in seconds, including warm-up
};

// Compares `run` with `base`. The verdict states whether `run` is slower or
// faster than `base`.
absl::StatusOr<PairedMeasurement> MeasurePaired(const Contender& base,
                                                const Contender& run,
                                                const PairedLimits& limits,
                                                Clock* clock);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_
