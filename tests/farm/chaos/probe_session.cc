#include "tests/farm/chaos/probe_session.h"

#include "absl/strings/str_cat.h"
#include "rpc/farm/farm_folder.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay {

absl::StatusOr<std::unique_ptr<ProbeSession>> ProbeSession::Open(
    ChaosFarm* farm) {
  ASSAY_ASSIGN_OR_RETURN(
      rpc::SigningKey key,
      rpc::SigningKey::Read(farm->PathOf("farm/client.key")));
  auto session =
      std::unique_ptr<ProbeSession>(new ProbeSession(farm, std::move(key)));
  ASSAY_ASSIGN_OR_RETURN(const rpc::ClientOptions options,
                         farm->ClientOf("me"));
  ASSAY_ASSIGN_OR_RETURN(session->tracker_, rpc::TrackerClient::Open(options));
  rpc::LeaseWish wish;
  wish.key = kProbeKey;
  wish.wait_seconds = 30;
  ASSAY_ASSIGN_OR_RETURN(
      session->connection_,
      rpc::LeaseConnection::Open(session->tracker_.get(), options.transport,
                                 wish, {}, {}, &session->cancellation_));
  return session;
}

absl::Status ProbeSession::Run(const std::string& digest, bool sign) {
  rpc::OpenRequest request;
  request.set_threads(1);
  rpc::OpenRequest::Artifact* artifact = request.add_artifacts();
  artifact->set_digest(digest);
  if (sign) {
    ASSAY_ASSIGN_OR_RETURN(*artifact->mutable_signature(),
                           key_.Sign(rpc::SignaturePurpose::kArtifact, digest));
  }
  ASSAY_ASSIGN_OR_RETURN(const rpc::OpenAnswer answer,
                         connection_->device().Open(request));
  connection_->device().Close(answer.session());
  return absl::OkStatus();
}

std::string ProbeSession::FileOf(const std::string& digest) const {
  return JoinPath(rpc::DeviceFolder(farm_->PathOf("farm"), kProbe),
                  absl::StrCat("state/blobs/", digest));
}

}  // namespace assay
