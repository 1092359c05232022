#include "rpc/proxy/switchboard.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "rpc/names/names.h"
#include "rpc/proxy/call/frames.h"
#include "rpc/security/token_file.h"
#include "rpc/transport/status.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

absl::Status Stopping() {
  return absl::UnavailableError("the proxy is stopping");
}

void Start(Relay& relay, const Switchboard::Call& call) {
  const auto left = call.deadline - std::chrono::system_clock::now();
  const int64_t nanos =
      std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
  // gRPC cancels a call whose time is over.
  relay.Run(call.stream,
            StartFrame(call.method, call.lease,
                       std::clamp<int64_t>(nanos, 1, kMaxCallNanos)));
}

}  // namespace

Switchboard::Switchboard(const ProxyLimits& limits, EventLog* log)
    : limits_(limits), log_(log), table_(limits) {
  watcher_ = std::thread([this] { Watch(); });
}

Switchboard::~Switchboard() {
  Stop(0);
  CHECK_EQ(table_.streams(), 0);
  CHECK_EQ(table_.calls(), 0);
}

int64_t Switchboard::NewNumber() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return ++last_number_;
}

int Switchboard::devices() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return table_.devices();
}

int Switchboard::streams() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return table_.streams();
}

int Switchboard::calls() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return table_.calls();
}

absl::Status Switchboard::Attaching(
    const std::string& device, int64_t number,
    const std::shared_ptr<AnswerStream>& stream) {
  Attachment earlier = {number, stream};
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_) return Stopping();
    std::swap(attaching_[device], earlier);
  }
  if (earlier.stream != nullptr) {
    earlier.stream->End(
        ToGrpc(absl::AbortedError("the device attaches again")));
  }
  return absl::OkStatus();
}

absl::StatusOr<Switchboard::SessionName> Switchboard::BeginSession(
    const std::string& device, const std::string& lease_key,
    const std::shared_ptr<AnswerStream>& stream) {
  auto session = std::make_shared<Session>(device, stream);
  ASSAY_RETURN_IF_ERROR(session->guard.SetKey(lease_key, /*least_token=*/0));
  ASSAY_ASSIGN_OR_RETURN(session->secret, NewToken());
  int64_t number = 0;
  Leftovers replaced;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_) return Stopping();
    const auto it = attaching_.find(device);
    if (it == attaching_.end() || it->second.stream != stream) {
      return absl::AbortedError("the device attaches again");
    }
    attaching_.erase(it);
    ASSAY_ASSIGN_OR_RETURN(const DeviceTable::Attached attached,
                           table_.Attach(device));
    replaced = TakeLeftovers(attached.replaced, attached.remains);
    number = attached.session;
    sessions_[number] = session;
    sessions_by_secret_[session->secret] = number;
  }
  log_->Write(
      "device_attached",
      {{"device", device}, {"replaced", replaced.attached == nullptr ? 0 : 1}});
  End(replaced, absl::AbortedError("the device has attached itself again"));
  return SessionName{number, session->secret};
}

void Switchboard::EndSession(int64_t number, const absl::Status& status) {
  Leftovers leftovers;
  std::string device;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto it = sessions_.find(number);
    if (it == sessions_.end()) return;
    device = it->second->device;
    leftovers = TakeLeftovers(number, table_.Detach(number));
  }
  log_->Write("device_lost",
              {{"device", device}, {"reason", status.message()}});
  End(leftovers, status);
}

Switchboard::Leftovers Switchboard::TakeLeftovers(
    int64_t session, const DeviceTable::Remains& remains) {
  Leftovers leftovers;
  const auto it = sessions_.find(session);
  if (it == sessions_.end()) return leftovers;
  leftovers.attached = it->second->stream;
  sessions_by_secret_.erase(it->second->secret);
  sessions_.erase(it);
  for (const int64_t stream : remains.streams) {
    leftovers.relays.push_back(relays_.at(stream));
  }
  for (const int64_t number : remains.waiting_calls) {
    leftovers.calls.push_back(TakeWaiting(number).stream);
  }
  return leftovers;
}

Switchboard::Call Switchboard::TakeWaiting(int64_t number) {
  const auto it = waiting_calls_.find(number);
  if (it == waiting_calls_.end()) return {};
  Call call = std::move(it->second);
  waiting_calls_.erase(it);
  return call;
}

void Switchboard::End(const Leftovers& leftovers, const absl::Status& status) {
  const absl::Status lost = absl::UnavailableError(
      absl::StrCat("the device was lost: ", status.message()));
  for (const auto& relay : leftovers.relays) relay->Stop(lost, status);
  for (const auto& call : leftovers.calls) call->End(ToGrpc(lost));
  if (leftovers.attached != nullptr) leftovers.attached->End(ToGrpc(status));
}

void Switchboard::AttachGone(const std::string& device, int64_t number) {
  std::shared_ptr<AnswerStream> stream;  // is released without the mutex
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto it = attaching_.find(device);
  if (it == attaching_.end() || it->second.number != number) return;
  stream = std::move(it->second.stream);
  attaching_.erase(it);
}

absl::Status Switchboard::AddCarry(
    const std::string& device, const std::string& secret, int64_t number,
    const std::shared_ptr<AnswerStream>& stream) {
  const auto relay = std::make_shared<Relay>(stream);
  Call call;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto it = sessions_by_secret_.find(secret);
    // For a device, the sessions of others do not exist.
    const bool is_own = it != sessions_by_secret_.end() &&
                        sessions_.at(it->second)->device == device;
    ASSAY_ASSIGN_OR_RETURN(const int64_t waiting,
                           table_.OpenStream(is_own ? it->second : 0, number));
    relays_[number] = relay;
    watched_.push_back(relay);
    if (waiting != 0) call = TakeWaiting(waiting);
  }
  relay->Wait();
  if (call.stream != nullptr) Start(*relay, call);
  return absl::OkStatus();
}

void Switchboard::CarryGone(int64_t number) {
  std::shared_ptr<Relay> relay;  // is released without the mutex
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto it = relays_.find(number);
  if (it == relays_.end()) return;
  relay = std::move(it->second);
  relays_.erase(it);
  table_.CloseStream(number);
}

absl::Status Switchboard::AddCall(Call call, int64_t number) {
  std::shared_ptr<Session> session;
  int64_t session_number = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_) return Stopping();
    session_number = table_.SessionOf(call.device);
    if (session_number != 0) session = sessions_.at(session_number);
  }
  if (session == nullptr) {
    return absl::UnavailableError(absl::StrCat(
        "the device `", absl::CHexEscape(call.device.substr(0, kMaxName)),
        "` is not attached to the proxy"));
  }
  // The signature is verified without the mutex.
  ASSAY_ASSIGN_OR_RETURN(const LeaseHolder holder,
                         session->guard.Check(call.lease));
  std::shared_ptr<Relay> relay;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_) return Stopping();
    ASSAY_ASSIGN_OR_RETURN(const int64_t carry,
                           table_.StartCall(session_number, holder.user, number,
                                            MonotonicNanos()));
    if (carry == 0) {
      waiting_calls_[number] = std::move(call);
      return absl::OkStatus();
    }
    relay = relays_.at(carry);
  }
  Start(*relay, call);
  return absl::OkStatus();
}

void Switchboard::CallGone(int64_t number) {
  Call call;  // is released without the mutex
  const std::lock_guard<std::mutex> lock(mutex_);
  call = TakeWaiting(number);
  table_.EndCall(number);
  if (stopping_) changed_.notify_all();
}

void Switchboard::Watch() {
  const std::chrono::nanoseconds pause(
      std::clamp<int64_t>(std::min(limits_.wait_nanos, limits_.idle_nanos) / 4,
                          10'000'000, 1'000'000'000));
  while (true) {
    std::vector<Call> overdue;
    std::vector<std::shared_ptr<Relay>> relays;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      if (changed_.wait_for(lock, pause, [this] { return stopped_; })) return;
      for (const int64_t number : table_.TakeOverdue(MonotonicNanos())) {
        overdue.push_back(TakeWaiting(number));
      }
      for (size_t i = 0; i < watched_.size();) {
        relays.push_back(watched_[i].lock());
        if (relays.back() != nullptr) {
          ++i;
          continue;
        }
        relays.pop_back();
        watched_[i] = std::move(watched_.back());
        watched_.pop_back();
      }
    }
    for (const Call& call : overdue) {
      call.stream->End(ToGrpc(absl::UnavailableError(absl::StrCat(
          "the device `", call.device, "` has not taken the call in time"))));
    }
    for (const auto& relay : relays) relay->StopIfIdle(limits_.idle_nanos);
  }
}

void Switchboard::Stop(int64_t grace_nanos) {
  std::vector<int64_t> sessions;
  std::map<std::string, Attachment> attaching;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    if (stopped_) return;
    stopping_ = true;
    changed_.wait_for(lock, std::chrono::nanoseconds(grace_nanos),
                      [this] { return table_.calls() == 0; });
    stopped_ = true;
    for (const auto& [number, session] : sessions_) sessions.push_back(number);
    std::swap(attaching, attaching_);
  }
  changed_.notify_all();
  watcher_.join();
  for (const int64_t session : sessions) EndSession(session, Stopping());
  for (const auto& [device, attachment] : attaching) {
    attachment.stream->End(ToGrpc(Stopping()));
  }
}

}  // namespace assay::rpc
