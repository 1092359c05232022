#include "reports/result/canary.h"

#include <algorithm>

namespace assay::reports {

bool IsSound(const Canary& canary, int threads, const std::string& board) {
  return std::all_of(canary.begin(), canary.end(),
                     [&](const CanaryTrial& trial) {
                       if (trial.threads != threads || trial.board != board)
                         return true;
                       if (trial.share > 0) {
                         return trial.verdict == stats::Verdict::kRegressed;
                       }
                       return trial.verdict != stats::Verdict::kRegressed &&
                              trial.verdict != stats::Verdict::kImproved;
                     });
}

}  // namespace assay::reports
