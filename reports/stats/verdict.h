// Verdict: the result of one row of a report. Text, report files and the exit
// code are derived from it.
#ifndef ASSAY_REPORTS_STATS_VERDICT_H_
#define ASSAY_REPORTS_STATS_VERDICT_H_

#include <ostream>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::stats {

enum class Verdict {
  // Compared with stored results: no change beyond the threshold of the row. A
  // screen, not a statistical test (compare.h).
  kPass,
  // Interleaved measurement: any difference is within the margin of the row
  // (paired_verdict.h).
  kEquivalent,
  // Compared with stored results: faster or slower by more than the threshold.
  // Interleaved: significantly faster or slower at the level of the row.
  kImproved,
  kRegressed,
  // Different by more than the threshold, but software or settings of the
  // machine differ from those of the baseline and may be the cause.
  kEnvironmentChanged,
  // Too few samples, or too much variance, to decide.
  kInconclusive,
  // Measured, but there is no baseline to compare with.
  kNoBaseline,
  // Output checked on an emulator, whose times are meaningless and never
  // compared.
  kEmulated,
  // The output differs from the reference; not timed.
  kWrongOutput,
  // Not measured: the compilation, the device or the harness failed.
  kInfrastructure,
};

// Returns true if the verdict is an answer for a gate; other verdicts give the
// reason why there is none.
bool IsJudgement(Verdict verdict);

// Returns `pass`, `environment_changed` ...
absl::string_view VerdictName(Verdict verdict);
// The inverse of VerdictName(). The error quotes `name`.
absl::StatusOr<Verdict> ParseVerdict(absl::string_view name);

std::ostream& operator<<(std::ostream& os, Verdict verdict);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_VERDICT_H_
