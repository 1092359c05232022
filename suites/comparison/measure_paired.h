// MeasurePaired: compares two programs of one model until it is known which one
// is faster or that they are equally fast, or until the budget is spent.
//
// suites/comparison/paired_loads.h describes the measurement,
// reports/stats/paired_verdict.h the verdict and when it is final.
#ifndef ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_
#define ASSAY_SUITES_COMPARISON_MEASURE_PAIRED_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/stats/paired_verdict.h"
#include "suites/comparison/paired_loads.h"

namespace assay::suites {

// Seconds of measurement: the budget of the comparison itself, and the unused
// budget of others, which is used only if it likely suffices for a verdict.
struct TimeBudget {
  double own_s = 0;
  double more_s = 0;
};

struct PairedOutcome {
  // The verdict on the fastest inferences, unless `typical_regressed`.
  stats::PairedVerdict verdict;
  // True if the typical inferences regressed and the fastest did not. `verdict`
  // is then that on the typical inferences.
  bool typical_regressed = false;
};

// Returns one sentence on the outcome (stats::Describe).
std::string Describe(const PairedOutcome& outcome);

// LoadJudge: the verdict on the loads so far. The fastest inferences decide. If
// they are not slower, but the typical inferences regressed, the outcome is
// `regressed`, too. Each of the two tests has half of the error probability, so
// that both together have that of PairedOptions::log_e_alarm.
class LoadJudge {
 public:
  explicit LoadJudge(stats::PairedOptions options);

  // Takes the loads that were added since the last call into account.
  PairedOutcome Judge(const PairedLoads& loads, stats::Budget budget);

 private:
  stats::PairedTest fastest_, typical_;
  size_t judged_ = 0;
};

// Loads both programs until the outcome is final or the budget is spent.
absl::StatusOr<PairedOutcome> RunToVerdict(PairedLoads& loads,
                                           const stats::PairedOptions& options,
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
