// The trials of the canary of a run: comparisons whose correct verdicts are
// known. They show whether the comparisons of the same session can be trusted
// (suites/comparison/canary.h).
#ifndef ASSAY_REPORTS_RESULT_CANARY_H_
#define ASSAY_REPORTS_RESULT_CANARY_H_

#include <string>
#include <tuple>
#include <vector>

#include "reports/result/equal_fields.h"
#include "reports/stats/verdict.h"

namespace assay::reports {

// A comparison of a known kernel with a copy of itself, which may do additional
// work.
struct CanaryTrial {
  // Additional work of the copy, as a fraction of the work of the kernel; 0 for
  // an identical copy.
  double share = 0;
  int threads = 1;
  // True if the two programs ran in separate processes.
  bool separate = false;
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  // One sentence that explains the verdict; may be empty.
  std::string reason;
  // The board on which it ran; empty if no farm lent the device.
  std::string board = {};

  auto Fields() const {
    return std::tie(share, threads, separate, verdict, reason, board);
  }
};

using Canary = std::vector<CanaryTrial>;

// Returns true if all trials with this number of threads on this board have a
// correct verdict: neither `regressed` nor `improved` if no work was added,
// else `regressed`.
bool IsSound(const Canary& canary, int threads, const std::string& board = "");

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_CANARY_H_
