// Batch: where a part of a calibration comes from, i.e. all trials of a regime
// that one run of //suites:calibration measured.
#ifndef ASSAY_SUITES_TRIALS_BATCH_H_
#define ASSAY_SUITES_TRIALS_BATCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::suites {

struct Batch {
  std::string date;    // in UTC, 2026-01-31T12:00:00Z
  std::string commit;  // SourceCommit()
  // MethodDigest() of the verdicts (suites/comparison/run_to_verdict.h).
  std::string method;
  std::string regime;
  int processes = 1;
  int64_t trials = 0;
  double budget_s = 0;
  // Load average of a minute and percentage of steal time since boot
  // (runtime::DeviceFacts::state), before and after.
  std::string load_before, load_after;
  std::string steal_before, steal_after;
  // Fraction of the time in which the neighbours were busy.
  double duty = 0;
};

// A file of batches consists of BatchHeader(), followed by BatchLine() of each
// batch. Both strings end in a newline.
std::string BatchHeader();
std::string BatchLine(const Batch& batch);
// Parses the text of a file of batches. Returns InvalidArgument if a line is
// malformed.
absl::StatusOr<std::vector<Batch>> ParseBatches(absl::string_view text);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRIALS_BATCH_H_
