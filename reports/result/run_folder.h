// The folder that a run of a suite with --out writes.
#ifndef ASSAY_REPORTS_RESULT_RUN_FOLDER_H_
#define ASSAY_REPORTS_RESULT_RUN_FOLDER_H_

#include <string>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"

namespace assay::reports {

// Reads `results.json` in a run folder. Returns InvalidArgument with the path
// if the file is malformed.
absl::StatusOr<RunResult> ReadRunFolder(const std::string& folder);

// Reads a run folder, and returns the row of its run. Returns InvalidArgument
// with the path if the run does not have exactly one row.
absl::StatusOr<Row> ReadOnlyRow(const std::string& folder);

// Returns the folder of the artifacts of a run with --keep_artifacts.
std::string ArtifactFolder(const std::string& folder);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_RUN_FOLDER_H_
