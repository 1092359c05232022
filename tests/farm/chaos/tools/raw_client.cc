#include "tests/farm/chaos/tools/raw_client.h"

#include <chrono>

#include "rpc/names/metadata.h"
#include "rpc/proto/device.grpc.pb.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/status.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

constexpr double kCallSeconds = 10;

std::chrono::nanoseconds Duration(double seconds) {
  return std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9));
}

RawLease ReadRaw(const rpc::Lease& message) {
  RawLease lease;
  rpc::LeaseTerms terms;
  terms.ParseFromString(message.terms());
  lease.name.set_device(terms.device());
  lease.name.set_token(terms.token());
  rpc::Lease shown;
  shown.set_terms(message.terms());
  shown.set_signature(message.signature());
  lease.bytes = shown.SerializeAsString();
  lease.address = message.address();
  return lease;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RawClient>> RawClient::Open(
    rpc::ClientOptions options) {
  ASSAY_ASSIGN_OR_RETURN(const auto channel,
                         rpc::OpenChannel(options.transport, options.tracker));
  return std::unique_ptr<RawClient>(
      new RawClient(std::move(options), rpc::Tracker::NewStub(channel)));
}

void RawClient::Prepare(double seconds, grpc::ClientContext* context) const {
  rpc::PrepareContext(options_.tracker, Duration(seconds), context);
  rpc::AddToken(options_.token, context);
}

absl::StatusOr<RawLease> RawClient::Acquire(
    const std::string& key, const std::string& ticket, double wait_seconds,
    const std::function<void()>& place) {
  rpc::AcquireRequest request;
  request.set_key(key);
  request.set_ticket(ticket);
  request.set_wait_seconds(wait_seconds);
  grpc::ClientContext context;
  Prepare(wait_seconds + kCallSeconds, &context);
  const auto stream = tracker_->Acquire(&context, request);
  rpc::AcquireAnswer answer;
  bool granted = false;
  RawLease lease;
  while (stream->Read(&answer)) {
    if (answer.has_place() && place != nullptr) place();
    if (!answer.has_lease()) continue;
    granted = true;
    lease = ReadRaw(answer.lease());
  }
  const absl::Status status = rpc::FromGrpc(stream->Finish());
  if (granted) return lease;
  ASSAY_RETURN_IF_ERROR(status);
  return absl::InternalError("the tracker granted no lease");
}

absl::StatusOr<RawLease> RawClient::Renew(const rpc::LeaseName& name) {
  grpc::ClientContext context;
  Prepare(kCallSeconds, &context);
  rpc::Lease lease;
  ASSAY_RETURN_IF_ERROR(rpc::FromGrpc(tracker_->Renew(&context, name, &lease)));
  return ReadRaw(lease);
}

absl::Status RawClient::Release(const rpc::LeaseName& name) {
  grpc::ClientContext context;
  Prepare(kCallSeconds, &context);
  rpc::ReleaseAnswer answer;
  return rpc::FromGrpc(tracker_->Release(&context, name, &answer));
}

absl::Status RawClient::Show(const RawLease& lease, double seconds) const {
  ASSAY_ASSIGN_OR_RETURN(const rpc::Address address,
                         rpc::ParseAddress(lease.address));
  ASSAY_ASSIGN_OR_RETURN(const auto channel,
                         rpc::OpenChannel(options_.transport, address));
  grpc::ClientContext context;
  rpc::PrepareContext(address, Duration(seconds), &context);
  context.AddMetadata(rpc::kLeaseMetadata, lease.bytes);
  rpc::FindBlobsAnswer answer;
  return rpc::FromGrpc(
      rpc::Device::NewStub(channel)->FindBlobs(&context, {}, &answer));
}

std::vector<absl::Status> RawClient::TryAllCalls(const RawLease& lease) const {
  const auto address = rpc::ParseAddress(lease.address);
  if (!address.ok()) return {address.status()};
  const auto channel = rpc::OpenChannel(options_.transport, *address);
  if (!channel.ok()) return {channel.status()};
  const auto stub = rpc::Device::NewStub(*channel);
  std::vector<absl::Status> results;
  const auto call =
      [&](const std::function<grpc::Status(grpc::ClientContext*)>& make) {
        grpc::ClientContext context;
        rpc::PrepareContext(*address, Duration(kCallSeconds), &context);
        context.AddMetadata(rpc::kLeaseMetadata, lease.bytes);
        results.push_back(rpc::FromGrpc(make(&context)));
      };
  call([&](grpc::ClientContext* context) {
    rpc::FindBlobsAnswer answer;
    return stub->FindBlobs(context, {}, &answer);
  });
  call([&](grpc::ClientContext* context) {
    rpc::PutBlobAnswer answer;
    const auto stream = stub->PutBlob(context, &answer);
    rpc::PutBlobRequest request;
    request.set_digest(std::string(64, '0'));
    request.set_size(1);
    stream->Write(request);
    stream->WritesDone();
    return stream->Finish();
  });
  call([&](grpc::ClientContext* context) {
    rpc::OpenAnswer answer;
    return stub->Open(context, {}, &answer);
  });
  call([&](grpc::ClientContext* context) {
    rpc::SetInputsAnswer answer;
    return stub->SetInputs(context, {}, &answer);
  });
  call([&](grpc::ClientContext* context) {
    const auto stream = stub->RunBlock(context, {});
    rpc::RunBlockAnswer answer;
    while (stream->Read(&answer)) {
    }
    return stream->Finish();
  });
  call([&](grpc::ClientContext* context) {
    rpc::CloseAnswer answer;
    return stub->Close(context, {}, &answer);
  });
  return results;
}

}  // namespace assay
