#include "rpc/server/registration/registration.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/client_callback.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

// A stream that is older begins again.
constexpr std::chrono::hours kMaxStreamTime{7 * 24};
// A connection that was longer is followed by the shortest wait.
constexpr int64_t kStableNanos = 10'000'000'000;
// How long the tracker may take to end the stream.
constexpr int64_t kEndNanos = 400'000'000;
constexpr size_t kMaxLeaseKeyBytes = 4096;

// Returns true for errors that last until somebody changes something.
bool IsRefusal(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kUnimplemented:
      return true;
    default:
      return false;
  }
}

}  // namespace

// The stream of one connection. The thread of the registration starts all
// operations; the threads of gRPC only note their ends.
class Registration::Stream
    : public grpc::ClientBidiReactor<FromDevice, ToDevice> {
 public:
  Stream(std::mutex* mutex, std::condition_variable* changed)
      : mutex_(mutex), changed_(changed) {}

  void Start(FromDevice hello) {
    writing_ = true;
    out_ = std::move(hello);
    AddHold();  // because operations are started outside of reactions
    StartWrite(&out_);
    StartRead(&in_);
    StartCall();
  }

  // These require the mutex.
  bool has_message() const { return has_message_; }
  bool writing() const { return writing_; }
  // Nothing can be read or written any more.
  bool broken() const { return broken_; }

  // These must not be called with the mutex, because gRPC may call the
  // reactions at once.

  // Returns the message that was read, and reads the next one.
  ToDevice Take() {
    ToDevice message = std::move(in_);
    {
      const std::lock_guard<std::mutex> lock(*mutex_);
      has_message_ = false;
    }
    in_.Clear();
    StartRead(&in_);
    return message;
  }
  // Must not be called while it is writing.
  void Write(FromDevice message) {
    {
      const std::lock_guard<std::mutex> lock(*mutex_);
      writing_ = true;
    }
    out_ = std::move(message);
    StartWrite(&out_);
  }
  void WriteEnd() { StartWritesDone(); }
  // Waits for the end of the stream, which is cancelled after `grace_nanos`,
  // and returns its status.
  absl::Status Finish(grpc::ClientContext* context, int64_t grace_nanos) {
    RemoveHold();
    const auto done = [this] { return done_; };
    std::unique_lock<std::mutex> lock(*mutex_);
    if (!changed_->wait_for(lock, std::chrono::nanoseconds(grace_nanos),
                            done)) {
      lock.unlock();
      context->TryCancel();
      lock.lock();
      changed_->wait(lock, done);
    }
    return FromGrpc(status_);
  }

 private:
  void OnReadDone(bool ok) override {
    const std::lock_guard<std::mutex> lock(*mutex_);
    (ok ? has_message_ : broken_) = true;
    changed_->notify_all();
  }
  void OnWriteDone(bool ok) override {
    const std::lock_guard<std::mutex> lock(*mutex_);
    writing_ = false;
    if (!ok) broken_ = true;
    changed_->notify_all();
  }
  // Finish() may destroy this object as soon as it has the mutex.
  void OnDone(const grpc::Status& status) override {
    const std::lock_guard<std::mutex> lock(*mutex_);
    status_ = status;
    done_ = true;
    changed_->notify_all();
  }

  std::mutex* const mutex_;
  std::condition_variable* const changed_;
  FromDevice out_;  // must not change while it is written
  ToDevice in_;     // the thread's if has_message_, else gRPC's
  bool writing_ = false;
  bool has_message_ = false;
  bool broken_ = false;
  bool done_ = false;
  grpc::Status status_;
};

Registration::Registration(RegistrationOptions options, RegistrationHooks hooks,
                           EventLog* log)
    : options_(std::move(options)),
      hooks_(std::move(hooks)),
      log_(log),
      rng_(SeedFor(static_cast<uint64_t>(MonotonicNanos()), options_.device)) {
  thread_ = std::thread([this] { RunThread(); });
}

Registration::~Registration() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool Registration::registered() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return registered_;
}

void Registration::RunThread() {
  int64_t retry_nanos = options_.first_retry_nanos;
  while (true) {
    welcomed_nanos_ = 0;
    const absl::Status status = Connect();
    const bool was_stable = welcomed_nanos_ != 0 &&
                            MonotonicNanos() - welcomed_nanos_ > kStableNanos;
    if (was_stable) retry_nanos = options_.first_retry_nanos;
    const int64_t wait_nanos =
        IsRefusal(status) && !HasNewToken()
            ? options_.refused_retry_nanos
            : rng_.UniformInt(retry_nanos / 2, retry_nanos);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      registered_ = false;
      if (stopping_) return;
    }
    LogEnd(status, wait_nanos);
    retry_nanos = std::min(2 * retry_nanos, options_.max_retry_nanos);
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait_for(lock, std::chrono::nanoseconds(wait_nanos),
                      [this] { return stopping_; });
    if (stopping_) return;
  }
}

bool Registration::HasNewToken() const {
  if (options_.client.token_file.empty()) return false;
  const absl::StatusOr<std::string> token =
      ReadToken(options_.client.token_file);
  return token.ok() && *token != token_;
}

absl::Status Registration::Connect() {
  const ClientOptions& client = options_.client;
  token_ = client.token;
  if (!client.token_file.empty()) {
    ASSAY_ASSIGN_OR_RETURN(token_, ReadToken(client.token_file));
  }
  // A new channel connects at once, whatever the one before has tried.
  ASSAY_ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel,
                         OpenChannel(client.transport, client.tracker));
  const std::unique_ptr<Tracker::Stub> stub = Tracker::NewStub(channel);
  grpc::ClientContext context;
  PrepareContext(client.tracker, kMaxStreamTime, &context);
  AddToken(token_, &context);
  FromDevice hello;
  *hello.mutable_hello() = MakeHello();
  Stream stream(&mutex_, &changed_);
  stub->async()->Register(&context, &stream);
  stream.Start(std::move(hello));
  const absl::Status error = Serve(&stream);
  // The status says why the tracker has ended the stream.
  const absl::Status end =
      stream.Finish(&context, error.ok() ? kEndNanos : int64_t{0});
  if (!error.ok()) return error;
  if (!end.ok()) return end;
  return absl::UnavailableError("the tracker has closed the connection");
}

absl::Status Registration::Serve(Stream* stream) {
  const int64_t start = MonotonicNanos();
  int64_t next_heartbeat = start;
  const auto needs_work = [this, stream] {
    return stopping_ || stream->has_message() || stream->broken();
  };
  while (true) {
    const int64_t next =
        welcomed_nanos_ == 0 ? start + options_.welcome_nanos : next_heartbeat;
    bool stopping = false, has_message = false, writing = false;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait_for(lock, std::chrono::nanoseconds(next - MonotonicNanos()),
                        needs_work);
      stopping = stopping_;
      has_message = stream->has_message();
      writing = stream->writing();
      // Messages that came before the end are still handled.
      if (stream->broken() && !has_message) return absl::OkStatus();
    }
    if (stopping) {
      Leave(stream);
      return absl::OkStatus();
    }
    if (has_message) ASSAY_RETURN_IF_ERROR(Handle(stream->Take()));
    const int64_t now = MonotonicNanos();
    if (now < next) continue;
    if (welcomed_nanos_ == 0) {
      return absl::DeadlineExceededError(
          absl::StrFormat("the tracker `%s` has not answered within %.1f s",
                          options_.client.tracker.endpoint,
                          static_cast<double>(options_.welcome_nanos) / 1e9));
    }
    next_heartbeat = now + options_.heartbeat_nanos;
    // While the one before is on its way, another one says nothing new.
    if (writing) continue;
    FromDevice message;
    *message.mutable_heartbeat() = MakeHeartbeat();
    stream->Write(std::move(message));
  }
}

absl::Status Registration::Handle(const ToDevice& message) {
  if (message.has_welcome()) {
    const Welcome& welcome = message.welcome();
    if (welcomed_nanos_ != 0 || welcome.least_token() < 0 ||
        welcome.lease_key().size() > kMaxLeaseKeyBytes) {
      return absl::InvalidArgumentError(
          "the tracker has sent a welcome that is not valid");
    }
    ASSAY_RETURN_IF_ERROR(
        hooks_.on_welcome(welcome.lease_key(), welcome.least_token()));
    welcomed_nanos_ = MonotonicNanos();
    logged_code_ = absl::StatusCode::kOk;
    log_->Write("registered", {{"tracker", options_.client.tracker.endpoint},
                               {"device", options_.device},
                               {"key", options_.key},
                               {"least_token", welcome.least_token()}});
    const std::lock_guard<std::mutex> lock(mutex_);
    registered_ = true;
    return absl::OkStatus();
  }
  if (message.has_ended()) {
    // The token alone identifies the lease.
    hooks_.on_ended(message.ended().token());
  }
  // Messages of a later version are ignored.
  return absl::OkStatus();
}

void Registration::Leave(Stream* stream) {
  const auto can_write = [stream] {
    return !stream->writing() || stream->broken();
  };
  {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait_for(lock, std::chrono::nanoseconds(kEndNanos), can_write);
    if (stream->writing() || stream->broken()) return;
  }
  stream->WriteEnd();
}

Hello Registration::MakeHello() const {
  Hello hello;
  hello.set_device(options_.device);
  hello.set_key(options_.key);
  hello.set_address(options_.address);
  *hello.mutable_facts() = hooks_.facts();
  return hello;
}

Heartbeat Registration::MakeHeartbeat() const {
  Heartbeat heartbeat;
  *heartbeat.mutable_state() = hooks_.state();
  *heartbeat.mutable_health() = hooks_.health();
  return heartbeat;
}

void Registration::LogEnd(const absl::Status& status, int64_t retry_nanos) {
  if (status.code() == logged_code_) return;
  logged_code_ = status.code();
  log_->Write("not_registered",
              {{"tracker", options_.client.tracker.endpoint},
               {"code", absl::StatusCodeToString(status.code())},
               {"error", status.message()},
               {"retry_seconds", static_cast<double>(retry_nanos) / 1e9}});
}

}  // namespace assay::rpc
