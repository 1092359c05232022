#include "suites/harness/run_state.h"

#include "absl/strings/str_cat.h"
#include "reports/result/results_json.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/row_outcome.h"

namespace assay::suites {

void FailCell(const absl::Status& status, Cell* cell) {
  Fail(status, &cell->row);
  cell->device_lost |= absl::IsAborted(status);
}

std::string DumpFolder(const std::string& folder, const RunState& state,
                       const reports::CellKey& cell) {
  if (folder.empty()) return "";
  return JoinPath(
      state.several_models ? JoinPath(folder, cell.model) : folder,
      absl::StrCat(cell.device, ".", VariantName(cell.variant, '.')));
}

std::string ArtifactFolder(const std::string& results_folder) {
  return JoinPath(results_folder, "artifacts");
}

absl::StatusOr<reports::RunResult> ReadResults(
    const std::string& results_folder) {
  const std::string path = JoinPath(results_folder, "results.json");
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  absl::StatusOr<reports::RunResult> result = reports::ParseResultsJson(text);
  if (result.ok()) return result;
  return absl::InvalidArgumentError(
      absl::StrCat("`", path, "`: ", result.status().message()));
}

}  // namespace assay::suites
