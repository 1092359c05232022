#include "reports/result/run_folder.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "reports/result/results_json.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {

absl::StatusOr<RunResult> ReadRunFolder(const std::string& folder) {
  const std::string path = JoinPath(folder, "results.json");
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  absl::StatusOr<RunResult> result = ParseResultsJson(text);
  if (result.ok()) return result;
  return absl::InvalidArgumentError(
      absl::StrCat("`", path, "`: ", result.status().message()));
}

absl::StatusOr<Row> ReadOnlyRow(const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(RunResult result, ReadRunFolder(folder));
  if (result.rows.size() == 1) return std::move(result.rows[0]);
  return absl::InvalidArgumentError(
      absl::StrCat("`", JoinPath(folder, "results.json"), "` has ",
                   result.rows.size(), " rows, not 1"));
}

std::string ArtifactFolder(const std::string& folder) {
  return JoinPath(folder, "artifacts");
}

}  // namespace assay::reports
