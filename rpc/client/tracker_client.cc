#include "rpc/client/tracker_client.h"

#include <chrono>
#include <optional>
#include <utility>

#include "rpc/client/peer_status.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {

absl::StatusOr<std::unique_ptr<TrackerClient>> TrackerClient::Open(
    const ClientOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(std::shared_ptr<grpc::Channel> channel,
                         OpenChannel(options.transport, options.tracker));
  return std::unique_ptr<TrackerClient>(
      new TrackerClient(options, std::move(channel)));
}

TrackerClient::TrackerClient(ClientOptions options,
                             std::shared_ptr<grpc::Channel> channel)
    : options_(std::move(options)),
      stub_(Tracker::NewStub(channel)),
      token_(options_.token) {}

std::string TrackerClient::Token() {
  absl::StatusOr<std::string> token = options_.token;
  if (!options_.token_file.empty()) token = ReadToken(options_.token_file);
  const absl::MutexLock lock(&mutex_);
  if (token.ok()) token_ = *std::move(token);
  return token_;
}

void TrackerClient::Prepare(int64_t timeout_nanos,
                            grpc::ClientContext* context) {
  PrepareContext(options_.tracker, std::chrono::nanoseconds(timeout_nanos),
                 context);
  AddToken(Token(), context);
}

absl::StatusOr<Lease> TrackerClient::Acquire(
    const AcquireRequest& request, int64_t timeout_nanos,
    Cancellation* cancellation,
    absl::FunctionRef<void(const Place& place)> place) {
  grpc::ClientContext context;
  Prepare(timeout_nanos, &context);
  const Cancellation::Call call(cancellation, &context);
  const auto stream = stub_->Acquire(&context, request);
  std::optional<Lease> lease;
  AcquireAnswer answer;
  while (stream->Read(&answer)) {
    if (answer.has_lease()) lease = std::move(*answer.mutable_lease());
    if (answer.has_place()) place(answer.place());
  }
  const absl::Status status = PeerStatus(stream->Finish());
  // The lease is granted even if the end of the stream was lost.
  if (lease.has_value()) return *std::move(lease);
  ASSAY_RETURN_IF_ERROR(status);
  return absl::InternalError("the tracker granted no lease and gave no reason");
}

absl::Status TrackerClient::Withdraw(const std::string& ticket,
                                     int64_t timeout_nanos) {
  grpc::ClientContext context;
  Prepare(timeout_nanos, &context);
  WithdrawRequest request;
  request.set_ticket(ticket);
  WithdrawAnswer answer;
  return PeerStatus(stub_->Withdraw(&context, request, &answer));
}

absl::StatusOr<Lease> TrackerClient::Renew(const LeaseName& name,
                                           int64_t timeout_nanos,
                                           Cancellation* cancellation) {
  grpc::ClientContext context;
  Prepare(timeout_nanos, &context);
  const Cancellation::Call call(cancellation, &context);
  Lease lease;
  ASSAY_RETURN_IF_ERROR(PeerStatus(stub_->Renew(&context, name, &lease)));
  return lease;
}

absl::Status TrackerClient::Release(const LeaseName& name,
                                    int64_t timeout_nanos) {
  grpc::ClientContext context;
  Prepare(timeout_nanos, &context);
  ReleaseAnswer answer;
  return PeerStatus(stub_->Release(&context, name, &answer));
}

}  // namespace assay::rpc
