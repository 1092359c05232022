#include "rpc/server/service/device_service.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "rpc/server/service/open_request.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

// The largest requests, in bytes.
constexpr size_t kMaxFindRequest = 128 << 10;
constexpr size_t kMaxBlockRequest = 2 << 20;

// Adds the task to the options of the host.
HostOptions WithLeaseChanged(HostOptions options, std::function<void()> task) {
  options.lease_changed = std::move(task);
  return options;
}

}  // namespace

DeviceService::DeviceService(DeviceServiceOptions options)
    : options_(std::move(options)),
      uploads_(options_.max_uploads),
      host_(WithLeaseChanged(options_.host, [this] {
        uploads_.CancelUnless(
            [this](int64_t token) { return CheckCaller(token).ok(); });
      })) {
  options_.host.guard->SetListener([this] { host_.CheckLease(); });
}

DeviceService::~DeviceService() { options_.host.guard->SetListener(nullptr); }

void DeviceService::Stop() {
  host_.Stop();
  uploads_.CancelUnless([](int64_t) { return false; });
}

absl::Status DeviceService::CheckCaller(int64_t token) {
  ASSAY_RETURN_IF_ERROR(host_.running());
  return options_.host.guard->CheckToken(token);
}

absl::StatusOr<Caller> DeviceService::AdmitCaller(const Context& context) {
  absl::StatusOr<Caller> caller = Admit(context, *options_.host.guard);
  if (caller.ok() && options_.connections != nullptr) {
    options_.connections->Know(context.peer());
  }
  return caller;
}

bool DeviceService::Begin(Context* context, const Bytes& bytes, UnaryCall* call,
                          Caller* caller,
                          google::protobuf::MessageLite* request,
                          size_t max_bytes) {
  absl::Status status = host_.running();
  if (status.ok()) {
    auto admitted = AdmitCaller(*context);
    status = admitted.status();
    if (admitted.ok()) *caller = *std::move(admitted);
  }
  if (status.ok()) status = ParseRequest(bytes, max_bytes, request);
  if (!status.ok()) call->Fail(status);
  return status.ok();
}

DeviceService::Unary* DeviceService::FindBlobs(Context* context,
                                               const Bytes* bytes,
                                               Bytes* answer_bytes) {
  auto* const call = new UnaryCall(answer_bytes);
  Caller caller;
  FindBlobsRequest request;
  if (!Begin(context, *bytes, call, &caller, &request, kMaxFindRequest)) {
    return call;
  }
  FindBlobsAnswer answer;
  const absl::Status status = FindAll(request, &answer);
  status.ok() ? call->Succeed(answer) : call->Fail(status);
  return call;
}

absl::Status DeviceService::FindAll(const FindBlobsRequest& request,
                                    FindBlobsAnswer* answer) {
  if (request.digests_size() > options_.max_digests) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", request.digests_size(),
                     " digests, and the limit is ", options_.max_digests));
  }
  for (const std::string& digest : request.digests()) {
    ASSAY_ASSIGN_OR_RETURN(const BlobState state,
                           options_.host.blobs->Find(digest));
    FindBlobsAnswer::Blob* blob = answer->add_blobs();
    blob->set_complete(state.kind == BlobState::Kind::kComplete);
    if (state.kind == BlobState::Kind::kPartial) blob->set_offset(state.bytes);
  }
  return absl::OkStatus();
}

grpc::ServerReadReactor<PutBlobRequest>* DeviceService::PutBlob(
    Context* context, PutBlobAnswer*) {
  const absl::Status running = host_.running();
  if (!running.ok()) return new UploadCall(running);
  const auto caller = AdmitCaller(*context);
  if (!caller.ok()) return new UploadCall(caller.status());
  const int64_t token = caller->holder.token;
  auto handle = uploads_.Add(context, token);
  if (!handle.ok()) return new UploadCall(handle.status());
  UploadCall::Options options;
  options.blobs = options_.host.blobs;
  options.uploads = &uploads_;
  options.check_lease = [this, token] { return CheckCaller(token); };
  options.post = [this](std::function<void()> task) {
    return host_.Post(std::move(task));
  };
  return new UploadCall(std::move(options), *std::move(handle));
}

DeviceService::Unary* DeviceService::Open(Context* context, const Bytes* bytes,
                                          Bytes* answer_bytes) {
  auto* const call = new UnaryCall(answer_bytes);
  Caller caller;
  OpenRequest request;
  if (!Begin(context, *bytes, call, &caller, &request)) return call;
  const auto session = ReadOpen(request, options_.max_threads,
                                *options_.trusted, *options_.host.blobs);
  if (!session.ok()) {
    call->Fail(session.status());
    return call;
  }
  host_.Open(call->state(), caller.holder, caller.deadline_nanos, *session,
             [this, call](const absl::StatusOr<OpenedSession>& opened) {
               if (!opened.ok()) return call->Fail(opened.status());
               OpenAnswer answer;
               answer.set_session(opened->id);
               answer.set_threads(opened->threads);
               *answer.mutable_facts() = options_.facts;
               if (opened->load_nanos.has_value()) {
                 answer.set_load_nanos(*opened->load_nanos);
               }
               call->Succeed(answer);
             });
  return call;
}

DeviceService::Unary* DeviceService::SetInputs(Context* context,
                                               const Bytes* bytes,
                                               Bytes* answer_bytes) {
  auto* const call = new UnaryCall(answer_bytes);
  Caller caller;
  SetInputsRequest request;
  if (!Begin(context, *bytes, call, &caller, &request)) return call;
  const auto set =
      [this, deadline = caller.deadline_nanos,
       digest = request.digest()](LiveSession& session) -> absl::Status {
    ASSAY_ASSIGN_OR_RETURN(const BlobPin pin,
                           PinBlob(*options_.host.blobs, digest));
    return session.worker->SetInputs(pin.path(), deadline);
  };
  host_.Run(call->state(), caller.holder, request.session(),
            caller.deadline_nanos, set, [call](const absl::Status& status) {
              status.ok() ? call->Succeed(SetInputsAnswer())
                          : call->Fail(status);
            });
  return call;
}

DeviceService::Unary* DeviceService::Close(Context* context, const Bytes* bytes,
                                           Bytes* answer_bytes) {
  auto* const call = new UnaryCall(answer_bytes);
  Caller caller;
  CloseRequest request;
  if (!Begin(context, *bytes, call, &caller, &request)) return call;
  host_.Close(caller.holder, request.session(),
              [call] { call->Succeed(CloseAnswer()); });
  return call;
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* DeviceService::RunBlock(
    Context* context, const Bytes* bytes) {
  auto* const call = new BlockCall(context, *bytes);
  absl::Status status = host_.running();
  Caller caller;
  if (status.ok()) {
    auto admitted = AdmitCaller(*context);
    status = admitted.status();
    if (admitted.ok()) caller = *std::move(admitted);
  }
  if (!status.ok()) {
    call->End(status);
    return call;
  }
  const int64_t deadline = caller.deadline_nanos;
  host_.RunCurrent(
      call->state(), caller.holder, deadline,
      [this, call, deadline](LiveSession& session) {
        return TakeBlock(session, call, deadline);
      },
      [call](const absl::Status& result) { call->End(result); });
  return call;
}

absl::Status DeviceService::TakeBlock(LiveSession& session, BlockCall* call,
                                      int64_t deadline_nanos) {
  runtime::Block block;
  {
    RunBlockRequest request;
    ASSAY_RETURN_IF_ERROR(
        ParseRequest(call->request(), kMaxBlockRequest, &request));
    if (request.session() != session.id) return NoSuchSession();
    ASSAY_ASSIGN_OR_RETURN(
        block, ReadBlock(request, session.worker->programs(),
                         deadline_nanos - MonotonicNanos(), options_.block));
  }
  BlockStream stream(call, &session.interrupt, options_.read_state);
  ASSAY_RETURN_IF_ERROR(
      session.worker->RunBlock(block, stream, deadline_nanos));
  return stream.Finish();
}

}  // namespace assay::rpc
