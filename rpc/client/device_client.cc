#include "rpc/client/device_client.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "rpc/client/block/block_limit.h"
#include "rpc/client/peer_status.h"
#include "rpc/names/metadata.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr int64_t kShortCallNanos = 20 * kSecondNanos;
constexpr int64_t kCloseNanos = 2 * kSecondNanos;
constexpr int64_t kShowNanos = 2 * kSecondNanos;
constexpr size_t kChunkBytes = size_t{1} << 20;
// The slowest connection over which uploads succeed: 100 kB/s.
constexpr int64_t kNanosPerUploadedByte = 10'000;
// How often the upload of a chunk may be cut off.
constexpr size_t kMaxCuts = 20;
constexpr size_t kMaxSessionName = 256;
constexpr int kMaxThreads = 1 << 16;
constexpr int64_t kMaxLoadNanos = int64_t{3600} * 1'000'000'000;

int64_t Nanos(double seconds) { return static_cast<int64_t>(seconds * 1e9); }

// A call without an answer is as good as one without a connection, if the
// device has nothing to do that takes long.
absl::Status SilentIsUnavailable(const absl::Status& status) {
  return absl::IsDeadlineExceeded(status)
             ? absl::UnavailableError(status.message())
             : status;
}

RunBlockRequest BlockRequest(const std::string& session,
                             const runtime::Block& block) {
  RunBlockRequest request;
  request.set_session(session);
  for (const runtime::SampleSpec& spec : block.samples) {
    RunBlockRequest::Sample* sample = request.add_samples();
    sample->set_program(spec.program);
    sample->set_number(spec.number);
    sample->set_warmup_runs(spec.warmup_runs);
    sample->set_warmup_nanos(spec.warmup_nanos);
  }
  request.set_min_sample_nanos(block.min_sample_nanos);
  request.set_cooldown_nanos(block.cooldown_nanos);
  request.set_flush_cache_bytes(block.flush_cache_bytes);
  request.set_read_outputs(block.read_outputs);
  request.set_checked_run_seed(block.checked_run_seed);
  request.set_time_calls(block.time_calls);
  return request;
}

}  // namespace

DeviceClient::DeviceClient(const std::shared_ptr<grpc::Channel>& channel,
                           LeaseKeeper* keeper, DeviceClientOptions options)
    : keeper_(keeper),
      options_(std::move(options)),
      stub_(Device::NewStub(channel)),
      address_(keeper->lease().address) {}

absl::Status DeviceClient::CallOnce(
    int64_t timeout_nanos,
    absl::FunctionRef<grpc::Status(grpc::ClientContext*)> call) {
  grpc::ClientContext context;
  PrepareContext(address_, std::chrono::nanoseconds(timeout_nanos), &context);
  context.AddMetadata(kLeaseMetadata, keeper_->lease().bytes);
  const Cancellation::Call running(keeper_->work(), &context);
  const absl::Status status = PeerStatus(call(&context));
  // The tracker knows sooner than this client whether the device is lost.
  if (absl::IsUnavailable(status)) keeper_->RenewSoon();
  return status;
}

absl::Status DeviceClient::ErrorOf(const absl::Status& status) {
  if (status.ok()) return status;
  ASSAY_RETURN_IF_ERROR(keeper_->status());
  if (absl::IsAborted(status)) {
    keeper_->GiveUp(status.message());
    return keeper_->status();
  }
  const ErrorInfo::Reason reason = ReasonOf(status);
  if (reason == ErrorInfo::NO_SESSION) {
    return absl::AbortedError(
        absl::StrCat(device(), " ended the session: ", status.message()));
  }
  const std::string message = absl::StrCat(device(), ": ", status.message());
  return WithReason(absl::Status(status.code(), message), reason);
}

absl::Status DeviceClient::Repeat(absl::FunctionRef<absl::Status()> call) {
  Retry retry(device(), Clock::Monotonic(), keeper_->work(), options_.notify);
  const absl::Status status =
      retry.Call(MonotonicNanos() + Nanos(options_.patience_seconds),
                 [&](int64_t) { return call(); });
  if (!absl::IsUnavailable(status)) return ErrorOf(status);
  keeper_->GiveUp(status.message());
  return keeper_->status();
}

absl::Status DeviceClient::RepeatCall(
    absl::FunctionRef<grpc::Status(grpc::ClientContext*)> call) {
  return Repeat([&]() -> absl::Status {
    const absl::Status status = CallOnce(Nanos(options_.call_seconds), call);
    if (!absl::IsDeadlineExceeded(status)) return status;
    return absl::DeadlineExceededError(
        absl::StrFormat("the device did not finish a call within %.0f s: %s",
                        options_.call_seconds, status.message()));
  });
}

absl::StatusOr<FindBlobsAnswer::Blob> DeviceClient::FindBlob(
    const std::string& digest, int64_t size) {
  FindBlobsRequest request;
  request.add_digests(digest);
  FindBlobsAnswer answer;
  ASSAY_RETURN_IF_ERROR(SilentIsUnavailable(
      CallOnce(kShortCallNanos, [&](grpc::ClientContext* context) {
        return stub_->FindBlobs(context, request, &answer);
      })));
  if (answer.blobs_size() != 1 || answer.blobs(0).offset() < 0 ||
      answer.blobs(0).offset() > size) {
    return absl::InternalError(
        "the device gave an unexpected answer about a blob");
  }
  return answer.blobs(0);
}

grpc::Status DeviceClient::SendChunks(grpc::ClientContext* context,
                                      const std::string& digest,
                                      absl::string_view bytes, int64_t offset) {
  PutBlobAnswer answer;
  const auto stream = stub_->PutBlob(context, &answer);
  PutBlobRequest request;
  request.set_digest(digest);
  request.set_size(static_cast<int64_t>(bytes.size()));
  request.set_offset(offset);
  absl::string_view rest = bytes.substr(static_cast<size_t>(offset));
  do {
    const absl::string_view chunk = rest.substr(0, kChunkBytes);
    request.set_bytes(chunk.data(), chunk.size());
    if (!stream->Write(request)) break;  // Finish() says why
    rest.remove_prefix(chunk.size());
    request.Clear();
  } while (!rest.empty());
  stream->WritesDone();
  return stream->Finish();
}

absl::Status DeviceClient::PutBlob(const std::string& digest,
                                   absl::string_view bytes, int64_t offset) {
  const int64_t left = static_cast<int64_t>(bytes.size()) - offset;
  const absl::Status status = SilentIsUnavailable(
      CallOnce(kShortCallNanos + left * kNanosPerUploadedByte,
               [&](grpc::ClientContext* context) {
                 return SendChunks(context, digest, bytes, offset);
               }));
  // The device has another number of bytes than it said, because another call
  // appends to the same blob.
  return absl::IsFailedPrecondition(status)
             ? absl::UnavailableError(status.message())
             : status;
}

absl::Status DeviceClient::Upload(const std::string& digest,
                                  absl::string_view bytes) {
  bool done = false;
  bool damaged = false;
  int64_t sent = -1;  // bytes that the device had when it was last asked
  // A device could else accept a byte at a time, forever.
  size_t attempts_left = kMaxCuts + kMaxCuts * (bytes.size() / kChunkBytes);
  while (!done) {
    if (attempts_left-- == 0) {
      return ErrorOf(absl::InternalError("an upload was cut off too often"));
    }
    ASSAY_RETURN_IF_ERROR(Repeat([&]() -> absl::Status {
      ASSAY_ASSIGN_OR_RETURN(
          const FindBlobsAnswer::Blob blob,
          FindBlob(digest, static_cast<int64_t>(bytes.size())));
      done = blob.complete();
      if (done) return absl::OkStatus();
      const absl::Status status = PutBlob(digest, bytes, blob.offset());
      done = status.ok();
      // The device has discarded what an earlier upload had left.
      if (absl::IsDataLoss(status) && !damaged) {
        damaged = true;
        return absl::OkStatus();
      }
      // As long as bytes arrive, the device is not given up.
      const bool progress = blob.offset() > sent;
      sent = std::max(sent, blob.offset());
      return absl::IsUnavailable(status) && progress ? absl::OkStatus()
                                                     : status;
    }));
  }
  return absl::OkStatus();
}

absl::StatusOr<OpenAnswer> DeviceClient::Open(const OpenRequest& request) {
  OpenAnswer answer;
  ASSAY_RETURN_IF_ERROR(RepeatCall([&](grpc::ClientContext* context) {
    return stub_->Open(context, request, &answer);
  }));
  if (answer.session().empty() || answer.session().size() > kMaxSessionName ||
      answer.threads() < 1 || answer.threads() > kMaxThreads ||
      (answer.has_load_nanos() &&
       (answer.load_nanos() < 1 || answer.load_nanos() > kMaxLoadNanos))) {
    return ErrorOf(absl::InternalError(
        "the device gave an unexpected answer to the start of a session"));
  }
  return answer;
}

absl::Status DeviceClient::SetInputs(const std::string& session,
                                     const std::string& digest) {
  SetInputsRequest request;
  request.set_session(session);
  request.set_digest(digest);
  SetInputsAnswer answer;
  return RepeatCall([&](grpc::ClientContext* context) {
    return stub_->SetInputs(context, request, &answer);
  });
}

absl::StatusOr<BlockResult> DeviceClient::RunBlock(
    const std::string& session, const runtime::Block& block,
    const std::vector<ProgramLimits>& programs, int64_t timeout_nanos) {
  const RunBlockRequest request = BlockRequest(session, block);
  if (request.ByteSizeLong() > kMaxMessageBytes - 1024) {
    return absl::InvalidArgumentError(
        absl::StrCat("a block of ", block.samples.size(),
                     " samples is too large for a device of the farm"));
  }
  BlockReader reader(block, programs);
  absl::Status rejected;
  const absl::Status status =
      CallOnce(timeout_nanos, [&](grpc::ClientContext* context) {
        const auto stream = stub_->RunBlock(context, request);
        RunBlockAnswer answer;
        while (rejected.ok() && stream->Read(&answer)) {
          rejected = reader.Read(answer);
        }
        if (!rejected.ok()) context->TryCancel();
        return stream->Finish();
      });
  ASSAY_RETURN_IF_ERROR(keeper_->status());
  ASSAY_RETURN_IF_ERROR(ErrorOf(rejected));
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kUnknown:
      return absl::AbortedError(
          absl::StrCat("the connection to ", device(),
                       " broke while it took samples: ", status.message()));
    case absl::StatusCode::kNotFound:
      // A block names a session only. Servers and proxies of earlier commits
      // give no reason.
      return ErrorOf(WithReason(status, ErrorInfo::NO_SESSION));
    case absl::StatusCode::kDeadlineExceeded:
      return ErrorOf(absl::DeadlineExceededError(absl::StrFormat(
          "the device did not finish a block of %d samples within %.0f s: %s",
          block.samples.size(), static_cast<double>(timeout_nanos) * 1e-9,
          status.message())));
    default:
      ASSAY_RETURN_IF_ERROR(ErrorOf(status));
  }
  absl::StatusOr<BlockResult> result = reader.Finish();
  if (!result.ok()) return ErrorOf(result.status());
  return result;
}

void DeviceClient::Close(const std::string& session) {
  CloseRequest request;
  request.set_session(session);
  CloseAnswer answer;
  CallOnce(kCloseNanos, [&](grpc::ClientContext* context) {
    return stub_->Close(context, request, &answer);
  }).IgnoreError();
}

void DeviceClient::ShowLease() {
  const FindBlobsRequest request;
  FindBlobsAnswer answer;
  // The keeper does not renew the lease during this call.
  const int64_t timeout = std::min(kShowNanos, keeper_->lease().nanos / 5);
  const absl::Status status =
      CallOnce(timeout, [&](grpc::ClientContext* context) {
        return stub_->FindBlobs(context, request, &answer);
      });
  if (absl::IsAborted(status)) keeper_->GiveUp(status.message());
  // The tracker may know that the device is lost. Otherwise, the device is
  // shown the next renewal soon.
  if (absl::IsDeadlineExceeded(status)) keeper_->RenewSoon();
}

}  // namespace assay::rpc
