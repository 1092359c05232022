#include "rpc/proxy/proxy_agent.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "grpcpp/alarm.h"
#include "grpcpp/client_context.h"
#include "grpcpp/completion_queue.h"
#include "rpc/names/metadata.h"
#include "rpc/proto/proxy.pb.h"
#include "rpc/proxy/call/agent_relay.h"
#include "rpc/proxy/call/frames.h"
#include "rpc/proxy/client_stream.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/client_options.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr char kAttachMethod[] = "/assay.rpc.Proxy/Attach";
constexpr char kCarryMethod[] = "/assay.rpc.Proxy/Carry";
// A proxy that does not answer within this time does not work.
constexpr int64_t kMaxAnswerNanos = int64_t{10} * 1'000'000'000;
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// The stream of Attach.
class Attachment : public CallOwner {
 public:
  void Start(std::unique_ptr<CallStream> stream, const AttachRequest& request) {
    stream_ = std::move(stream);
    stream_->Write(ToBytes(request));
    stream_->Read();
  }
  void Cancel() { stream_->Cancel(); }

  // Empty until the proxy has answered.
  const std::string& session() const { return session_; }
  int64_t attached_nanos() const { return attached_nanos_; }
  bool done() const { return done_; }
  // Why the stream has ended.
  const absl::Status& status() const { return status_; }

  void OnRead(grpc::ByteBuffer message) override {
    absl::StatusOr<AttachAnswer> answer = ParseAttachAnswer(message);
    if (!session_.empty()) {
      answer = absl::InvalidArgumentError("the proxy has answered twice");
    }
    if (!answer.ok()) {
      status_ = answer.status();
      return Cancel();
    }
    session_ = answer->session();
    attached_nanos_ = MonotonicNanos();
    stream_->Read();
  }
  void OnWritten() override {}
  void OnDone(const grpc::Status& status) override {
    done_ = true;
    if (status_.ok()) status_ = FromGrpc(status);
    if (status_.ok()) status_ = absl::UnavailableError("the proxy has left");
  }

 private:
  std::unique_ptr<CallStream> stream_;
  std::string session_;
  int64_t attached_nanos_ = 0;
  bool done_ = false;
  absl::Status status_;
};

}  // namespace

// Everything that belongs to the thread of the agent.
class ProxyAgent::Loop {
 public:
  Loop(const ProxyAgentOptions& options, std::shared_ptr<grpc::Channel> proxy,
       std::shared_ptr<grpc::Channel> server)
      : options_(options),
        proxy_(std::move(proxy)),
        server_(std::move(server)),
        rng_(static_cast<uint64_t>(MonotonicNanos())),
        pause_nanos_(options.min_pause_nanos) {
    thread_ = std::thread([this] { Work(); });
  }

  void SetLeaseKey(const std::string& pem) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (pem == lease_key_ || stopping_) return;
    lease_key_ = pem;
    Wake();
  }

  bool attached() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return attached_;
  }

  void Stop() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (stopping_) return;
      stopping_ = true;
      Wake();
    }
    thread_.join();
  }

 private:
  // Lets the thread look at what has changed. Requires the mutex.
  void Wake() {
    if (waking_) return;
    waking_ = true;
    wake_.Set(&queue_, gpr_now(GPR_CLOCK_MONOTONIC), &wake_);
  }

  void Work();
  // Does what is due. Returns when something else will be due unless an event
  // comes first, or nothing if the agent has stopped.
  std::optional<int64_t> Step();
  // Starts to attach the device, and returns when it must have succeeded.
  int64_t Attach(const std::string& key);
  void OpenStream();
  void RemoveEndedStreams();
  void EndAttachment();
  std::unique_ptr<CallStream> CallServer(const RequestFrame::Start& start,
                                         CallOwner* owner);
  std::unique_ptr<CallStream> CallProxy(
      const char* method, CallOwner* owner,
      std::unique_ptr<grpc::ClientContext> context);
  int64_t NextPause();

  const ProxyAgentOptions options_;
  const std::shared_ptr<grpc::Channel> proxy_;
  const std::shared_ptr<grpc::Channel> server_;

  mutable std::mutex mutex_;
  bool stopping_ = false;
  bool attached_ = false;
  std::string lease_key_;  // empty until it is set
  bool waking_ = false;

  grpc::CompletionQueue queue_;
  grpc::Alarm wake_;
  Rng rng_;
  int64_t pause_nanos_;
  int64_t next_attach_nanos_ = 0;
  int64_t answer_due_nanos_ = 0;
  int64_t next_stream_nanos_ = 0;
  std::string token_;
  std::string attached_key_;
  std::unique_ptr<Attachment> attachment_;
  std::vector<std::unique_ptr<AgentRelay>> relays_;
  std::thread thread_;
};

void ProxyAgent::Loop::Work() {
  void* tag = nullptr;
  bool ok = false;
  while (true) {
    const std::optional<int64_t> due = Step();
    if (!due.has_value()) break;
    const int64_t left = std::max<int64_t>(*due - MonotonicNanos(), 0);
    const gpr_timespec deadline =
        *due == kNever ? gpr_inf_future(GPR_CLOCK_MONOTONIC)
                       : gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                      gpr_time_from_nanos(left, GPR_TIMESPAN));
    const auto event = queue_.AsyncNext(&tag, &ok, deadline);
    if (event != grpc::CompletionQueue::GOT_EVENT) continue;
    if (tag == &wake_) {
      const std::lock_guard<std::mutex> lock(mutex_);
      waking_ = false;
    } else {
      ClientStream::Complete(tag, ok);
    }
  }
  queue_.Shutdown();
  while (queue_.Next(&tag, &ok)) {
    // Only the alarm can be left.
  }
}

std::optional<int64_t> ProxyAgent::Loop::Step() {
  std::string key;
  bool stopping = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    key = lease_key_;
    stopping = stopping_;
  }
  const int64_t now = MonotonicNanos();
  RemoveEndedStreams();
  if (attachment_ != nullptr && attachment_->done()) {
    for (const auto& relay : relays_) relay->Cancel();
    if (!relays_.empty()) return kNever;
    EndAttachment();
  }
  if (attachment_ == nullptr) {
    if (stopping) return std::nullopt;
    if (key.empty()) return kNever;
    if (now < next_attach_nanos_) return next_attach_nanos_;
    return Attach(key);
  }
  if (stopping || key != attached_key_) {
    for (const auto& relay : relays_) relay->Cancel();
    attachment_->Cancel();
    return kNever;
  }
  if (attachment_->session().empty()) {
    if (now < answer_due_nanos_) return answer_due_nanos_;
    attachment_->Cancel();
    return kNever;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    attached_ = true;
  }
  if (now < next_stream_nanos_) return next_stream_nanos_;
  int waiting = 0;
  for (const auto& relay : relays_) waiting += relay->waiting() ? 1 : 0;
  for (; waiting < options_.waiting_streams &&
         static_cast<int>(relays_.size()) < options_.max_streams;
       ++waiting) {
    OpenStream();
  }
  return kNever;
}

int64_t ProxyAgent::Loop::Attach(const std::string& key) {
  const absl::StatusOr<std::string> token = ReadToken(options_.token_file);
  if (!token.ok()) {
    options_.log->Write("proxy_lost", {{"reason", token.status().message()}});
    next_attach_nanos_ = MonotonicNanos() + NextPause();
    return next_attach_nanos_;
  }
  token_ = *token;
  attached_key_ = key;
  AttachRequest request;
  request.set_device(options_.device);
  request.set_lease_key(key);
  attachment_ = std::make_unique<Attachment>();
  attachment_->Start(CallProxy(kAttachMethod, attachment_.get(),
                               std::make_unique<grpc::ClientContext>()),
                     request);
  answer_due_nanos_ = MonotonicNanos() + kMaxAnswerNanos;
  return answer_due_nanos_;
}

void ProxyAgent::Loop::EndAttachment() {
  const bool was_attached = !attachment_->session().empty();
  // A proxy that ends each session soon is not called again at once.
  if (was_attached && MonotonicNanos() - attachment_->attached_nanos() >
                          options_.max_pause_nanos) {
    pause_nanos_ = options_.min_pause_nanos;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    attached_ = false;
  }
  options_.log->Write(
      "proxy_lost",
      {{"proxy", options_.proxy}, {"reason", attachment_->status().message()}});
  attachment_.reset();
  next_stream_nanos_ = 0;
  next_attach_nanos_ = MonotonicNanos() + NextPause();
}

void ProxyAgent::Loop::OpenStream() {
  auto context = std::make_unique<grpc::ClientContext>();
  context->AddMetadata(kSessionKey, attachment_->session());
  auto relay = std::make_unique<AgentRelay>(
      [this](const RequestFrame::Start& start, CallOwner* owner) {
        return CallServer(start, owner);
      });
  relay->Start(
      CallProxy(kCarryMethod, relay->carry_owner(), std::move(context)));
  relays_.push_back(std::move(relay));
}

void ProxyAgent::Loop::RemoveEndedStreams() {
  const auto is_done = [this](const std::unique_ptr<AgentRelay>& relay) {
    if (!relay->done()) return false;
    if (!relay->error().ok()) {
      options_.log->Write("call_ended", {{"reason", relay->error().message()}});
    }
    // The proxy did not want the stream: the next one must not follow at once.
    if (!relay->started()) {
      next_stream_nanos_ = MonotonicNanos() + options_.min_pause_nanos;
    }
    return true;
  };
  relays_.erase(std::remove_if(relays_.begin(), relays_.end(), is_done),
                relays_.end());
}

std::unique_ptr<CallStream> ProxyAgent::Loop::CallServer(
    const RequestFrame::Start& start, CallOwner* owner) {
  auto context = std::make_unique<grpc::ClientContext>();
  PrepareContext(Address(), std::chrono::nanoseconds(start.timeout_nanos()),
                 context.get());
  context->AddMetadata(kLeaseMetadata, start.lease());
  return std::make_unique<ClientStream>(server_, start.method(),
                                        std::move(context), &queue_, owner);
}

std::unique_ptr<CallStream> ProxyAgent::Loop::CallProxy(
    const char* method, CallOwner* owner,
    std::unique_ptr<grpc::ClientContext> context) {
  AddToken(token_, context.get());
  return std::make_unique<ClientStream>(proxy_, method, std::move(context),
                                        &queue_, owner);
}

int64_t ProxyAgent::Loop::NextPause() {
  const int64_t mean = pause_nanos_;
  pause_nanos_ = std::min(2 * pause_nanos_, options_.max_pause_nanos);
  return rng_.UniformInt(mean / 2, mean + mean / 2);
}

absl::StatusOr<std::unique_ptr<ProxyAgent>> ProxyAgent::Start(
    const ProxyAgentOptions& options, std::shared_ptr<grpc::Channel> server) {
  ASSAY_ASSIGN_OR_RETURN(const Address address, ParseAddress(options.proxy));
  if (!address.device.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", options.proxy,
                     "` is not the address of a proxy: it names a device"));
  }
  ASSAY_ASSIGN_OR_RETURN(std::shared_ptr<grpc::Channel> proxy,
                         OpenChannel(options.transport, address));
  return std::unique_ptr<ProxyAgent>(new ProxyAgent(
      std::make_unique<Loop>(options, std::move(proxy), std::move(server))));
}

ProxyAgent::ProxyAgent(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}

ProxyAgent::~ProxyAgent() { Stop(); }

void ProxyAgent::SetLeaseKey(const std::string& pem) {
  loop_->SetLeaseKey(pem);
}

bool ProxyAgent::attached() const { return loop_->attached(); }

void ProxyAgent::Stop() { loop_->Stop(); }

}  // namespace assay::rpc
