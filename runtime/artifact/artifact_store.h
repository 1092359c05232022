// ArtifactStore: a content-addressed store of compiled models in a folder, so
// that two builds can be compared side by side at any later time.
//
//   <folder>/<first two digits>/<digest>.artifact
//
// Stored files are immutable and written atomically, so concurrent writers are
// safe. Get() verifies the digest of what it reads.
#ifndef ASSAY_RUNTIME_ARTIFACT_ARTIFACT_STORE_H_
#define ASSAY_RUNTIME_ARTIFACT_ARTIFACT_STORE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/artifact/artifact.h"

namespace assay::runtime {

class ArtifactStore {
 public:
  explicit ArtifactStore(std::string folder) : folder_(std::move(folder)) {}

  // Stores the artifact if it is not in the store yet.
  absl::Status Put(const Artifact& artifact) const;
  // Returns NotFound if the artifact is not in the store, InvalidArgument if
  // `digest` is malformed, and DataLoss if the file has another digest.
  absl::StatusOr<Artifact> Get(absl::string_view digest) const;

 private:
  absl::StatusOr<std::string> PathOf(absl::string_view digest) const;

  const std::string folder_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_ARTIFACT_STORE_H_
