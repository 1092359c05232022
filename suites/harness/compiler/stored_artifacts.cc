#include "suites/harness/compiler/stored_artifacts.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "reports/result/run_folder.h"
#include "runtime/artifact/artifact_store.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

bool IsOf(const reports::CellKey& cell, const Place& place) {
  return cell.device == place.device &&
         (place.any_threads || cell.threads == place.threads);
}

}  // namespace

absl::StatusOr<StoredArtifacts> StoredArtifacts::Open(
    const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(reports::RunResult result,
                         reports::ReadRunFolder(folder));
  return StoredArtifacts(folder, std::move(result));
}

absl::StatusOr<CompiledModel> StoredArtifacts::Compile(
    const Model& model, const Place& place, const reports::Variant& variant,
    const std::string& /*dump_dir*/) {
  const reports::Row* found = nullptr;
  for (const reports::Row& row : result_.rows) {
    const reports::CellKey& cell = row.cell;
    if (cell.model != model.name || !(cell.variant == variant) ||
        !IsOf(cell, place)) {
      continue;
    }
    if (found != nullptr) {
      return absl::FailedPreconditionError(absl::StrCat(
          "`", folder_, "` has several rows of model `", model.name,
          "` on device `", place.device, "`; give `--threads`"));
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
  CompiledModel compiled;
  ASSAY_ASSIGN_OR_RETURN(
      compiled.artifact,
      runtime::ArtifactStore(reports::ArtifactFolder(folder_))
          .Get(found->build.artifact_digest));
  compiled.tuning_digest = found->build.tuning_digest;
  return compiled;
}

absl::Status StoredArtifacts::CanTune(const Place& place) const {
  if (absl::c_any_of(result_.rows, [&](const reports::Row& row) {
        return row.cell.variant.tuned && IsOf(row.cell, place);
      })) {
    return absl::OkStatus();
  }
  return absl::NotFoundError(absl::StrCat(
      "`", folder_, "` has no tuned row of device `", place.device, "`"));
}

}  // namespace assay::suites
