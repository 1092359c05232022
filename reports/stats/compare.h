// Screen: a run against the numbers stored for an earlier run.
//
// This is a screen, not a proof. Between two runs on the same machine minutes
// apart, code that did not change routinely moves by more than the scatter
// inside either run: placement in memory, a neighbour on the same processor,
// temperature. A significance test between a run and a stored run takes that
// drift for a change of the code; with it, two identical programs come out
// "different" most of the time. What decides such a question is measuring both
// programs now, interleaved. Until somebody does, the rule here errs towards
// silence and states, in each result, how large a change it could have missed.
//
// The rule, on medians m and robust sigmas s (summary.h) of run r and baseline
// b:
//   delta     = m_r / m_b - 1
//   threshold = max(5 %, 3 * sqrt(s_r^2 + s_b^2) / m_b)
//   delta >  threshold  -> regressed   } or environment_changed, where the
//   delta < -threshold  -> improved    } caller says that it did
//   otherwise           -> pass, if threshold <= 25 %, else inconclusive
// and inconclusive in any case if either side has fewer than six samples: an
// interval for a median that holds in 95 % of cases needs six.
//
// It is the scatter of single samples, not the standard error of the median,
// that sets the threshold: the error of the median shrinks with the number of
// samples, the drift between runs does not. "Pass" hence means "no change
// beyond the stated threshold"; it does not mean "equally fast".
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
  // One sentence for a person; empty for a pass.
  std::string reason;
};

// Both summaries are of latencies in the same unit. Of `baseline`, count,
// median and robust_sigma are used. CHECK-fails if a median is not positive.
Screening Screen(const Summary& run, const Summary& baseline,
                 bool environment_changed);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_COMPARE_H_
