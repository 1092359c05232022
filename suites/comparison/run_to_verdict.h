// RunToVerdict: compares two programs of one model until it is known which one
// is faster or that they are equally fast, or until the budget is spent.
//
// suites/comparison/paired_loads.h describes the measurement,
// reports/stats/paired_judge.h the verdict and when it is final.
//
// The number of loads that a verdict needs depends on how much loads differ on
// the machine. On one machine, 15 loads suffice; on another, on which two
// processes differ by up to 40 %, a thousand are needed. This number is not
// known beforehand, and a budget that fits one machine wastes time on another
// or gives an inconclusive verdict there. After some loads, the spread of their
// ratios shows how many are needed. A comparison that is undecided when its
// budget is spent therefore goes on if this number of loads fits into the
// budget together with TimeBudget::extra_s.
#ifndef ASSAY_SUITES_COMPARISON_RUN_TO_VERDICT_H_
#define ASSAY_SUITES_COMPARISON_RUN_TO_VERDICT_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "reports/stats/paired_judge.h"
#include "suites/comparison/paired_loads.h"

namespace assay::suites {

// Seconds of measurement: the budget of the comparison itself, and the unused
// budget of others, which is used only if it likely suffices for a verdict.
struct TimeBudget {
  double own_s = 0;
  double more_s = 0;
  // Additional time for machines whose loads differ much. It is used for the
  // first kMinLoadsForEstimate loads, and for more loads only if the estimate
  // is then that it suffices for a verdict.
  double extra_s = 0;
};

// With fewer loads, the estimate can be wrong by a factor of ten.
constexpr int64_t kMinLoadsForEstimate = 30;

// Called after each undecided load once TimeBudget::own_s is spent, with the
// estimate of the whole time that the comparison needs, in seconds.
using OnEstimate = std::function<void(double needed_s)>;

// Returns e.g. `needs about 4 min on this machine`.
std::string NeededText(double needed_s);

// Loads both programs until the outcome is final or the budget is spent.
// `on_estimate` may be null.
absl::StatusOr<stats::PairedOutcome> RunToVerdict(
    PairedLoads& loads, const stats::PairedOptions& options,
    const TimeBudget& budget, const OnEstimate& on_estimate = nullptr);

// The *method* of verdicts is everything on which their error rates depend,
// i.e. the parameters of the statistics and of the measurement. A calibration
// (suites/trials) measures the error rates of one method and is valid only for
// verdicts with the same digest.
//
// Describes the method, one parameter per line. The seed and the budget are not
// part of it.
std::string DescribeMethod(const stats::PairedOptions& options);
// Returns the first 12 hexadecimal digits of the SHA-256 of DescribeMethod().
std::string MethodDigest(const stats::PairedOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_RUN_TO_VERDICT_H_
