#include "runtime/artifact/artifact_store.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {

// Validates the digest, which may come from an untrusted file, so that the path
// cannot leave the folder.
absl::StatusOr<std::string> ArtifactStore::PathOf(
    absl::string_view digest) const {
  const bool sound = digest.size() == 64 &&
                     std::all_of(digest.begin(), digest.end(), [](char c) {
                       return absl::ascii_isdigit(c) || (c >= 'a' && c <= 'f');
                     });
  if (!sound) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", digest, "` is not the digest of an artifact"));
  }
  return JoinPath(JoinPath(folder_, digest.substr(0, 2)),
                  absl::StrCat(digest, ".artifact"));
}

absl::Status ArtifactStore::Put(const Artifact& artifact) const {
  ASSAY_ASSIGN_OR_RETURN(const std::string path, PathOf(Digest(artifact)));
  if (FileExists(path)) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(MakeDirs(path.substr(0, path.rfind('/'))));
  return WriteArtifact(path, artifact);
}

absl::StatusOr<Artifact> ArtifactStore::Get(absl::string_view digest) const {
  ASSAY_ASSIGN_OR_RETURN(const std::string path, PathOf(digest));
  if (!FileExists(path)) {
    return absl::NotFoundError(absl::StrCat(
        "there is no artifact ", digest.substr(0, 12), "… in `", folder_, "`"));
  }
  ASSAY_ASSIGN_OR_RETURN(Artifact artifact, ReadArtifact(path));
  if (Digest(artifact) != digest) {
    return absl::DataLossError(absl::StrCat(
        "`", path, "` is corrupt: its digest does not match; delete it"));
  }
  return artifact;
}

}  // namespace assay::runtime
