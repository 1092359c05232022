// ArtifactStore: compiled models in a folder, each under the digest of its
// content, so that two builds can be measured side by side long after either
// was made.
//
//   <folder>/<first two digits>/<digest>.artifact
//
// What is stored never changes: storing it again does nothing, two processes
// may store at once, and a file cut short by a crash is not there, for writing
// is atomic. What is read is what the digest says, or an error.
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

  absl::Status Put(const Artifact& artifact) const;
  // NotFound if it is not there; InvalidArgument for what is no digest.
  absl::StatusOr<Artifact> Get(absl::string_view digest) const;

 private:
  absl::StatusOr<std::string> PathOf(absl::string_view digest) const;

  const std::string folder_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_ARTIFACT_STORE_H_
