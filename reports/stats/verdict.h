// Verdict: the result of one row of a report. Console output, report files and
// the exit code are derived from the verdicts.
#ifndef ASSAY_REPORTS_STATS_VERDICT_H_
#define ASSAY_REPORTS_STATS_VERDICT_H_

#include <ostream>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::stats {

enum class Verdict {
  // The comparison with a stored baseline found no change beyond the threshold.
  // This comparison is a heuristic, not a statistical test (compare.h).
  kPass,
  // The interleaved measurement shows that any difference is within the margin
  // (paired_verdict.h).
  kEquivalent,
  // The program is faster (kImproved) or slower (kRegressed) than the program
  // that it is compared with. In a comparison with a stored baseline, the
  // difference exceeds the threshold. In an interleaved measurement, the
  // difference is statistically significant (paired_verdict.h).
  kImproved,
  kRegressed,
  // The time differs from the baseline by more than the threshold. However, the
  // software or the settings of the machine differ from those of the baseline
  // and may be the cause.
  kEnvironmentChanged,
  // The samples are too few or vary too much for a decision.
  kInconclusive,
  // The row was measured, but there is no baseline to compare with.
  kNoBaseline,
  // The output was checked on an emulator. Times of an emulator are meaningless
  // and are not compared.
  kEmulated,
  // The output is wrong. The row has no samples.
  kWrongOutput,
  // The row was not measured, because the compilation, the device or the
  // harness failed.
  kInfrastructure,
};

// Returns true if the verdict is a judgement of the program: pass, equivalent,
// improved, regressed or wrong_output. A judgement is sufficient to accept or
// reject a change of the program. All other verdicts state why there is no
// judgement.
bool IsJudgement(Verdict verdict);

// Returns the name of the verdict: `pass`, `environment_changed`, …
absl::string_view VerdictName(Verdict verdict);
// Returns the verdict with the given name. Returns InvalidArgument, with
// `name`, if there is no such verdict.
absl::StatusOr<Verdict> ParseVerdict(absl::string_view name);

std::ostream& operator<<(std::ostream& os, Verdict verdict);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_VERDICT_H_
