#include "rpc/server/service/open_request.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "rpc/security/signature.h"
#include "rpc/transport/status.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {

absl::StatusOr<SessionRequest> ReadOpen(const OpenRequest& request,
                                        int max_threads,
                                        TrustedKeysFile& trusted,
                                        BlobStore& blobs) {
  SessionRequest session;
  if (request.artifacts_size() < 1 || request.artifacts_size() > 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("a session has one or two artifacts, and not ",
                     request.artifacts_size()));
  }
  if (request.threads() < 0 || request.threads() > max_threads) {
    return absl::InvalidArgumentError(
        absl::StrCat("`threads` is ", request.threads(),
                     ", which is not from 0 to ", max_threads));
  }
  for (const OpenRequest::Artifact& artifact : request.artifacts()) {
    if (!IsSha256Hex(artifact.digest())) {
      return absl::InvalidArgumentError("`digest` is not a SHA-256");
    }
    ASSAY_RETURN_IF_ERROR(trusted
                              .Verify(SignaturePurpose::kArtifact,
                                      artifact.digest(), artifact.signature())
                              .status());
    ASSAY_ASSIGN_OR_RETURN(const BlobState state,
                           blobs.Find(artifact.digest()));
    if (state.kind != BlobState::Kind::kComplete) {
      return WithReason(
          absl::NotFoundError(absl::StrCat(
              "the device does not have the blob `", artifact.digest(), "`")),
          ErrorInfo::NO_BLOB);
    }
    session.digests.push_back(artifact.digest());
  }
  session.threads = request.threads();
  session.placement_seed = request.placement_seed();
  return session;
}

}  // namespace assay::rpc
