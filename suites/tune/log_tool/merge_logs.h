// MergeLogs: makes one log of several.
//
//   ASSAY_ASSIGN_OR_RETURN(const MergedLog merged, MergeLogs(paths));
//   ASSAY_RETURN_IF_ERROR(WriteFileAtomic(out, merged.text));
//
// Logs are merged by concatenation. A line that occurred before is left out, so
// it does no harm to merge a log twice, and the trace that a killed tuner
// leaves, a line that is not JSON, is left out, too. All other lines are kept
// as they are, even if they are records of another version.
#ifndef ASSAY_SUITES_TUNE_LOG_TOOL_MERGE_LOGS_H_
#define ASSAY_SUITES_TUNE_LOG_TOOL_MERGE_LOGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::suites {

struct MergedLog {
  std::string text;
  int64_t lines = 0;       // that were kept
  int64_t duplicates = 0;  // that were left out
  // The lines that are not JSON, as `PATH:LINE`.
  std::vector<std::string> damaged;
};

// Returns an error if a file cannot be read.
absl::StatusOr<MergedLog> MergeLogs(const std::vector<std::string>& paths);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_TOOL_MERGE_LOGS_H_
