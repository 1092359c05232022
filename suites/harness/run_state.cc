#include "suites/harness/run_state.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"

namespace assay::suites {

std::string DumpFolder(const std::string& folder, const RunState& state,
                       const reports::CellKey& cell) {
  if (folder.empty()) return "";
  return JoinPath(
      state.several_models ? JoinPath(folder, cell.model) : folder,
      absl::StrCat(cell.device, cell.fusion ? ".fusion_on" : ".fusion_off"));
}

std::string ArtifactFolder(const std::string& results_folder) {
  return JoinPath(results_folder, "artifacts");
}

}  // namespace assay::suites
