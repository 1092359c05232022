// ArtifactStore: a content-addressed store of compiled models in a folder. It
// keeps old builds, so that a later build can be compared with them. The path
// of a stored artifact is
//
//   <folder>/<first two digits of the digest>/<digest>.artifact
//
// Stored files are immutable and are written atomically, so concurrent writers
// are safe. Get() verifies the digest of the file that it reads.
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
  // Reads the artifact with the digest `digest`. Returns NotFound if it is not
  // in the store, InvalidArgument if `digest` or the file is malformed, and
  // DataLoss if the file contains an artifact with another digest.
  absl::StatusOr<Artifact> Get(absl::string_view digest) const;

 private:
  absl::StatusOr<std::string> PathOf(absl::string_view digest) const;

  const std::string folder_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_ARTIFACT_STORE_H_
