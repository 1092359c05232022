// RunToVerdict: compares two programs of one model until it is known which one
// is faster or that they are equally fast, or until the budget is spent.
//
// suites/comparison/paired_loads.h describes the measurement,
// reports/stats/paired_judge.h the verdict and when it is final.
#ifndef ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_
#define ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_

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
};

// Loads both programs until the outcome is final or the budget is spent.
absl::StatusOr<stats::PairedOutcome> RunToVerdict(
    PairedLoads& loads, const stats::PairedOptions& options,
    const TimeBudget& budget);

// Describes everything on which the error rates of verdicts depend: the
// parameters of the statistics and of the measurement, one per line. The seed
// and the budget are not part of it.
std::string DescribeMethod(const stats::PairedOptions& options);
// Returns the first 12 hexadecimal digits of the SHA-256 of DescribeMethod(). A
// calibration is valid only for verdicts with the same digest.
std::string MethodDigest(const stats::PairedOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_
