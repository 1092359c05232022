// Screen: compares a run with the stored summary of an earlier run.
//
// Screen() is a heuristic, not a statistical test. The latency of unchanged
// code often differs more between two runs on one machine than between the
// samples of one run, even if the runs are only minutes apart. Causes of this
// drift are memory placement, background load and temperature. A significance
// test against a stored run would attribute the drift to the code and report
// most pairs of identical programs as different. Only an interleaved
// measurement of both programs (paired_verdict.h) can decide. Therefore
// Screen() prefers false negatives to false positives. Each result contains the
// threshold, i.e. the smallest change that can be detected.
//
// Let m_r and m_b be the medians of the run and of the baseline, and s_r and
// s_b their robust sigmas (summary.h). Then
//   delta     = m_r / m_b - 1
//   threshold = max(5 %, 3 * sqrt(s_r^2 + s_b^2) / m_b)
// The verdict is the first that applies:
//   inconclusive         if the run or the baseline has fewer than six samples,
//                        the minimum for a 95 % confidence interval of a median
//   environment_changed  if |delta| > threshold and the caller reports that the
//                        environment has changed
//   regressed            if delta > threshold
//   improved             if delta < -threshold
//   inconclusive         if threshold > 25 %
//   pass                 otherwise
//
// The threshold is based on the standard deviation of single samples and not on
// the standard error of the median. The standard error decreases with the
// number of samples, but the drift between runs does not. Therefore `pass`
// means "no change beyond the threshold" and not "equally fast".
#ifndef ASSAY_REPORTS_STATS_COMPARE_H_
#define ASSAY_REPORTS_STATS_COMPARE_H_

#include <cstdint>
#include <string>

#include "reports/stats/summary.h"
#include "reports/stats/verdict.h"

namespace assay::stats {

constexpr int64_t kMinSamples = 6;
constexpr double kSmallestThreshold = 0.05;
constexpr double kLargestThreshold = 0.25;
constexpr double kSigmas = 3;

struct Screening {
  Verdict verdict = Verdict::kInconclusive;
  double delta = 0;      // relative; +0.10 is 10 % slower
  double threshold = 0;  // relative, >= kSmallestThreshold
  // An explanation in one sentence; empty for a pass.
  std::string reason;
};

// Compares `run` with `baseline`, which must be in the same unit. Only count,
// median and robust_sigma are used. CHECK-fails if a median is not positive.
Screening Screen(const Summary& run, const Summary& baseline,
                 bool environment_changed);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_COMPARE_H_
