#include "suites/harness/stored_artifacts.h"

#include "absl/strings/str_cat.h"
#include "runtime/artifact/artifact_store.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/run_state.h"

namespace assay::suites {

absl::StatusOr<StoredArtifacts> StoredArtifacts::Open(
    const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(reports::RunResult result, ReadResults(folder));
  return StoredArtifacts(folder, std::move(result));
}

absl::StatusOr<runtime::Artifact> StoredArtifacts::Compile(
    const Model& model, const devices::Device& device, bool fusion, int threads,
    const std::string& /*dump_dir*/) {
  const reports::Row* found = nullptr;
  for (const reports::Row& row : result_.rows) {
    const reports::CellKey& cell = row.cell;
    if (cell.model != model.name || cell.device != device.name() ||
        cell.fusion != fusion || (threads != 0 && cell.threads != threads)) {
      continue;
    }
    if (found != nullptr) {
      return absl::FailedPreconditionError(absl::StrCat(
          "`", folder_, "` has several rows of model `", model.name,
          "` on device `", device.name(), "`; give `--threads`"));
    }
    found = &row;
  }
  if (found == nullptr) {
    return absl::InternalError(absl::StrCat(
        "`", folder_, "` has no such cell: the model or the cell is missing"));
  }
  if (found->build.model_digest != model.digest) {
    return absl::InternalError(absl::StrCat(
        "`", folder_, "` has another model of the name `", model.name, "`"));
  }
  if (found->build.artifact_digest.empty()) {
    return absl::InternalError(absl::StrCat(
        "`", folder_, "` has no artifact of this cell: ", found->reason));
  }
  return runtime::ArtifactStore(ArtifactFolder(folder_))
      .Get(found->build.artifact_digest);
}

}  // namespace assay::suites
