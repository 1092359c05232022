#include "rpc/proxy/proxy_service.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "grpcpp/server_context.h"
#include "rpc/names/metadata.h"
#include "rpc/names/names.h"
#include "rpc/proto/proxy.grpc.pb.h"
#include "rpc/proto/proxy.pb.h"
#include "rpc/proxy/call/frames.h"
#include "rpc/proxy/call/stream.h"
#include "rpc/proxy/server_stream.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/status.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

// Returns the value of a key that a call must have once.
absl::StatusOr<std::string> OnlyValue(const grpc::CallbackServerContext& call,
                                      const char* key) {
  const auto [begin, end] = call.client_metadata().equal_range(key);
  if (begin == end || std::next(begin) != end) {
    return absl::InvalidArgumentError(
        absl::StrCat("the call must have the metadata `", key, "` once"));
  }
  return std::string(begin->second.data(), begin->second.size());
}

// The stream of Attach.
class AttachOwner : public AnswerOwner {
 public:
  AttachOwner(Switchboard* board, std::string device,
              std::shared_ptr<AnswerStream> stream)
      : board_(board), device_(std::move(device)), stream_(std::move(stream)) {}

  void OnRead(grpc::ByteBuffer message) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const absl::StatusOr<AttachAnswer> answer = Answer(message);
    if (!answer.ok()) return End(answer.status());
    stream_->Write(ToBytes(*answer));
    stream_->Read();
  }
  // The agent may close its side: it has nothing more to say.
  void OnReadEnd() override {}
  void OnWritten() override {}
  void OnCancelled() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    End(absl::UnavailableError("the device has closed its connection"));
  }

  // Ends the session of a device that may not be attached any more.
  void Revoke(const absl::Status& status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    End(status);
  }

 private:
  absl::StatusOr<AttachAnswer> Answer(const grpc::ByteBuffer& message) {
    if (session_ != 0) {
      return absl::InvalidArgumentError("a second request to attach");
    }
    ASSAY_ASSIGN_OR_RETURN(const AttachRequest request,
                           ParseAttachRequest(message));
    if (request.device() != device_) {
      return absl::PermissionDeniedError(absl::StrCat(
          "the token is that of the device `", device_, "`, not of `",
          absl::CHexEscape(request.device().substr(0, kMaxName)), "`"));
    }
    ASSAY_ASSIGN_OR_RETURN(
        const Switchboard::SessionName session,
        board_->BeginSession(device_, request.lease_key(), stream_));
    session_ = session.number;
    AttachAnswer answer;
    answer.set_session(session.secret);
    return answer;
  }

  void End(const absl::Status& status) {
    if (session_ != 0) board_->EndSession(session_, status);
    stream_->End(ToGrpc(status));
  }

  Switchboard* const board_;
  const std::string device_;
  const std::shared_ptr<AnswerStream> stream_;
  std::mutex mutex_;
  int64_t session_ = 0;
};

}  // namespace

// gRPC reports nothing about a call before its method has returned the reactor.
// Until then, the streams below have no events.

// The calls of agents. gRPC passes their messages as bytes.
class ProxyService::AgentService
    : public Proxy::WithRawCallbackMethod_Attach<
          Proxy::WithRawCallbackMethod_Carry<Proxy::Service>> {
 public:
  AgentService(Switchboard* board, TokenFile* tokens, EventLog* log,
               ConnectionTable* connections)
      : board_(board), tokens_(tokens), log_(log), connections_(connections) {}

  grpc::ServerGenericBidiReactor* Attach(
      grpc::CallbackServerContext* context) override {
    const absl::StatusOr<std::string> device = CallerOf(*context);
    const int64_t number = board_->NewNumber();
    const auto stream = ServerStream::Create(
        context, [this, name = device.value_or(""), number] {
          Forget(number);
          board_->AttachGone(name, number);
        });
    const absl::Status status = device.ok()
                                    ? board_->Attaching(*device, number, stream)
                                    : device.status();
    if (!status.ok()) return Refuse("attach_refused", status, stream);
    const auto owner = std::make_shared<AttachOwner>(board_, *device, stream);
    Remember(number, *device, *context, owner);
    stream->SetOwner(owner);
    stream->Read();
    return stream->reactor();
  }

  void CheckDevices() {
    std::vector<Attached> attached;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (const auto& [number, device] : attached_) attached.push_back(device);
    }
    for (const Attached& device : attached) {
      const absl::Status status =
          AuthorizeAgain(device.token, device.name, {Role::kDevice}, *tokens_);
      const auto owner = device.owner.lock();
      if (!status.ok() && owner != nullptr) owner->Revoke(status);
    }
  }

  grpc::ServerGenericBidiReactor* Carry(
      grpc::CallbackServerContext* context) override {
    const int64_t number = board_->NewNumber();
    const auto stream = ServerStream::Create(
        context, [board = board_, number] { board->CarryGone(number); });
    const absl::Status status = StartCarry(*context, number, stream);
    if (!status.ok()) return Refuse("stream_refused", status, stream);
    return stream->reactor();
  }

 private:
  struct Attached {
    std::string name;
    std::string token;
    std::weak_ptr<AttachOwner> owner;
  };

  void Remember(int64_t number, const std::string& name,
                const grpc::CallbackServerContext& context,
                const std::shared_ptr<AttachOwner>& owner) {
    const absl::StatusOr<std::string> token =
        TokenOf(context.client_metadata());
    if (!token.ok()) return;  // the caller was authorized by it
    const std::lock_guard<std::mutex> lock(mutex_);
    attached_[number] = {name, *token, owner};
  }

  void Forget(int64_t number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    attached_.erase(number);
  }

  absl::StatusOr<std::string> CallerOf(
      const grpc::CallbackServerContext& context) {
    ASSAY_ASSIGN_OR_RETURN(
        const Identity caller,
        Authorize(context.client_metadata(), {Role::kDevice}, *tokens_));
    if (connections_ != nullptr) connections_->Know(context.peer());
    return caller.name;
  }

  absl::Status StartCarry(const grpc::CallbackServerContext& context,
                          int64_t number,
                          const std::shared_ptr<ServerStream>& stream) {
    ASSAY_ASSIGN_OR_RETURN(const std::string device, CallerOf(context));
    ASSAY_ASSIGN_OR_RETURN(const std::string session,
                           OnlyValue(context, kSessionKey));
    return board_->AddCarry(device, session, number, stream);
  }

  grpc::ServerGenericBidiReactor* Refuse(
      const char* event, const absl::Status& status,
      const std::shared_ptr<ServerStream>& stream) {
    log_->Write(event, {{"reason", status.message()}});
    stream->End(ToGrpc(status));
    return stream->reactor();
  }

  Switchboard* const board_;
  TokenFile* const tokens_;
  EventLog* const log_;
  ConnectionTable* const connections_;
  std::mutex mutex_;
  std::map<int64_t, Attached> attached_;  // by the number of the call
};

// The calls of clients, and all calls that the program does not have.
class ProxyService::DeviceService : public grpc::CallbackGenericService {
 public:
  DeviceService(Switchboard* board, EventLog* log, ConnectionTable* connections)
      : board_(board), log_(log), connections_(connections) {}

  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override {
    const int64_t number = board_->NewNumber();
    const auto stream = ServerStream::Create(
        context, [board = board_, number] { board->CallGone(number); });
    const absl::Status status = Start(*context, number, stream);
    if (!status.ok()) {
      log_->Write("call_refused", {{"reason", status.message()}});
      stream->End(ToGrpc(status));
    }
    return stream->reactor();
  }

 private:
  absl::Status Start(const grpc::GenericCallbackServerContext& context,
                     int64_t number,
                     const std::shared_ptr<ServerStream>& stream) {
    Switchboard::Call call;
    call.method = context.method();
    if (!IsDeviceMethod(call.method)) {
      return absl::UnimplementedError(
          "the proxy passes calls of `assay.rpc.Device` only");
    }
    ASSAY_ASSIGN_OR_RETURN(call.device, OnlyValue(context, kDeviceMetadata));
    call.deadline = context.deadline();
    if (call.deadline == std::chrono::system_clock::time_point::max()) {
      return absl::InvalidArgumentError("the call has no deadline");
    }
    const absl::StatusOr<std::string> lease =
        OnlyValue(context, kLeaseMetadata);
    if (!lease.ok()) {
      return absl::UnauthenticatedError(lease.status().message());
    }
    call.lease = *lease;
    call.stream = stream;
    // Checks the lease.
    const absl::Status status = board_->AddCall(std::move(call), number);
    if (status.ok() && connections_ != nullptr) {
      connections_->Know(context.peer());
    }
    return status;
  }

  Switchboard* const board_;
  EventLog* const log_;
  ConnectionTable* const connections_;
};

ProxyService::ProxyService(const ProxyLimits& limits, TokenFile* tokens,
                           EventLog* log, ConnectionTable* connections)
    : board_(limits, log),
      agent_service_(
          std::make_unique<AgentService>(&board_, tokens, log, connections)),
      device_service_(
          std::make_unique<DeviceService>(&board_, log, connections)) {}

ProxyService::~ProxyService() = default;

void ProxyService::CheckDevices() { agent_service_->CheckDevices(); }

grpc::Service* ProxyService::agent_service() { return agent_service_.get(); }

grpc::CallbackGenericService* ProxyService::device_service() {
  return device_service_.get();
}

}  // namespace assay::rpc
