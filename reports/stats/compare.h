// Screen: compares a run with the stored summary of an earlier run.
//
// This is a heuristic screen, not a statistical test. The latency of unchanged
// code often differs more between two runs on one machine, even if they are
// minutes apart, than between the samples of one run: memory placement,
// background load and temperature change. A significance test against a stored
// run would attribute this drift to the code and call most pairs of identical
// programs different. Only an interleaved measurement of both programs
// (paired_verdict.h) can decide. This screen therefore prefers false negatives
// to false positives, and each result states the smallest change that it could
// have detected.
//
// The rule, for the medians m and robust sigmas s (summary.h) of run r and
// baseline b:
//   delta     = m_r / m_b - 1
//   threshold = max(5 %, 3 * sqrt(s_r^2 + s_b^2) / m_b)
//   delta >  threshold  -> regressed   } or environment_changed, if the
//   delta < -threshold  -> improved    } caller reports such a change
//   otherwise           -> pass if threshold <= 25 %, else inconclusive
// The result is always inconclusive if either side has fewer than six samples,
// the minimum for a 95 % confidence interval of a median.
//
// The threshold is based on the standard deviation of single samples and not on
// the standard error of the median, because the latter shrinks with the number
// of samples and the drift between runs does not. "Pass" hence means "no change
// beyond the stated threshold" and not "equally fast".
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

// Compares latency summaries in the same unit; reads only count, median and
// robust_sigma. CHECK-fails if a median is not positive.
Screening Screen(const Summary& run, const Summary& baseline,
                 bool environment_changed);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_COMPARE_H_
