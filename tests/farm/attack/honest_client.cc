#include "tests/farm/attack/honest_client.h"

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "grpcpp/client_context.h"
#include "rpc/client/remote_runner.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

constexpr int64_t kNanos = 100'000;
constexpr std::chrono::seconds kTimeout(10);

}  // namespace

runtime::Artifact SleepingArtifact(int64_t nanos) {
  runtime::Artifact artifact;
  artifact.metadata["sleeping.nanos"] = absl::StrCat(nanos);
  artifact.tensors = {
      {"x", DType::Float32(), {1}, runtime::Location::kInput, 0},
      {"y", DType::Int64(), {1}, runtime::Location::kOutput, 0}};
  artifact.calls = {{"sleep", {0}, {1}, {"sleep"}, "sleep", 1, 4, ""}};
  artifact.code_kind = "sleep";
  artifact.code = "none";
  return artifact;
}

absl::StatusOr<std::unique_ptr<HonestClient>> HonestClient::Create(
    const rpc::ClientOptions& tracker, const std::string& signing_key) {
  ASSAY_ASSIGN_OR_RETURN(rpc::SigningKey key,
                         rpc::SigningKey::Read(signing_key));
  ASSAY_ASSIGN_OR_RETURN(const auto channel,
                         rpc::OpenChannel(tracker.transport, tracker.tracker));
  return std::unique_ptr<HonestClient>(
      new HonestClient(tracker, std::move(key), channel));
}

HonestClient::HonestClient(rpc::ClientOptions tracker, rpc::SigningKey key,
                           std::shared_ptr<grpc::Channel> channel)
    : tracker_(std::move(tracker)),
      key_(std::move(key)),
      channel_(std::move(channel)) {}

absl::StatusOr<rpc::ListAnswer> HonestClient::List() const {
  grpc::ClientContext context;
  rpc::PrepareContext(tracker_.tracker, kTimeout, &context);
  rpc::AddToken(tracker_.token, &context);
  rpc::ListAnswer answer;
  ASSAY_RETURN_IF_ERROR(rpc::FromGrpc(
      rpc::Tracker::NewStub(channel_)->List(&context, {}, &answer)));
  return answer;
}

absl::Status HonestClient::Measure(const std::string& key) {
  rpc::RemoteOptions options;
  options.tracker = tracker_;
  options.wish.key = key;
  options.wish.wait_seconds = 10;
  options.signing_key = key_;
  options.call_seconds = 10;
  options.patience_seconds = 5;
  ASSAY_ASSIGN_OR_RETURN(const auto runner, rpc::RemoteRunner::Create(options));
  ASSAY_RETURN_IF_ERROR(runner->Connect());
  // Another one each time, so that it must be uploaded.
  runtime::Artifact artifact = SleepingArtifact(kNanos);
  artifact.metadata["model"] = absl::StrCat(MonotonicNanos());
  Uploaded& uploaded = uploaded_[key];
  uploaded.digest = Sha256Hex(runtime::Serialize(artifact));
  ASSAY_ASSIGN_OR_RETURN(
      uploaded.signature,
      key_.Sign(rpc::SignaturePurpose::kArtifact, uploaded.digest));
  ASSAY_ASSIGN_OR_RETURN(const auto session,
                         runner->Load({&artifact}, runtime::LoadOptions()));
  ASSAY_RETURN_IF_ERROR(session->SetInputs(
      {{"x", NDArray::FromVector<float>({1}, std::vector<float>{1})}}));
  runtime::Block block;
  block.samples = {{0, 2, 0, 0}, {0, 2, 0, 0}};
  block.read_outputs = true;
  ASSAY_ASSIGN_OR_RETURN(const std::vector<runtime::Sample> samples,
                         session->RunBlock(block));
  for (const runtime::Sample& sample : samples) {
    const NDArray* y = runtime::FindTensor(sample.outputs, "y");
    if (y == nullptr || y->data<int64_t>()[0] != kNanos) {
      return absl::InternalError("the output of the program is wrong");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<rpc::Lease> HonestClient::Acquire(
    const std::string& key, const std::string& token) const {
  grpc::ClientContext context;
  rpc::PrepareContext(tracker_.tracker, 2 * kTimeout, &context);
  rpc::AddToken(token, &context);
  rpc::AcquireRequest request;
  request.set_key(key);
  request.set_wait_seconds(15);
  const auto stream =
      rpc::Tracker::NewStub(channel_)->Acquire(&context, request);
  rpc::AcquireAnswer answer;
  rpc::Lease lease;
  while (stream->Read(&answer)) {
    if (answer.has_lease()) lease = answer.lease();
  }
  ASSAY_RETURN_IF_ERROR(rpc::FromGrpc(stream->Finish()));
  return lease;
}

absl::Status HonestClient::Release(const rpc::LeaseName& name,
                                   const std::string& token) const {
  grpc::ClientContext context;
  rpc::PrepareContext(tracker_.tracker, kTimeout, &context);
  rpc::AddToken(token, &context);
  rpc::ReleaseAnswer answer;
  return rpc::FromGrpc(
      rpc::Tracker::NewStub(channel_)->Release(&context, name, &answer));
}

}  // namespace assay
