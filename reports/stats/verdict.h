// Verdict: what one row of a report comes to. One list; text, report files and
// exit code derive from it.
#ifndef ASSAY_REPORTS_STATS_VERDICT_H_
#define ASSAY_REPORTS_STATS_VERDICT_H_

#include <ostream>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::stats {

enum class Verdict {
  // Compared with stored numbers: no change larger than the threshold that the
  // row states. A screen's word, not proof (compare.h).
  kPass,
  // Measured side by side with the other program: whatever the difference is,
  // it lies inside the margin that the row states (paired_verdict.h).
  kEquivalent,
  // Compared: faster, or slower, by more than the threshold; or, side by side,
  // for certain at the level that the row states.
  kImproved,
  kRegressed,
  // Different by more than the threshold, but the machine's software or
  // settings differ from those of the baseline, which may be why.
  kEnvironmentChanged,
  // Measured, yet the samples are too few or too scattered to tell.
  kInconclusive,
  // Measured, and there is nothing to compare with.
  kNoBaseline,
  // Output checked on an emulator, whose times mean nothing: never compared.
  kEmulated,
  // The output is not that of the reference: never timed.
  kWrongOutput,
  // No measurement: compiling, the device or the machinery failed.
  kInfrastructure,
};

// Whether it answers the question that a gate asks. Others say why there is no
// answer.
bool IsJudgement(Verdict verdict);

// `pass`, `environment_changed` ...
absl::string_view VerdictName(Verdict verdict);
// The inverse; the error quotes `name`.
absl::StatusOr<Verdict> ParseVerdict(absl::string_view name);

std::ostream& operator<<(std::ostream& os, Verdict verdict);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_VERDICT_H_
