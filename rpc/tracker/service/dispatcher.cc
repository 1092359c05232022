#include "rpc/tracker/service/dispatcher.h"

#include <cmath>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "rpc/tracker/device_list.h"
#include "rpc/tracker/service/list_answer.h"
#include "rpc/tracker/service/message_checks.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

int64_t Nanos(double seconds) {
  return static_cast<int64_t>(std::ceil(seconds * 1e9));
}

double Seconds(int64_t nanos) { return static_cast<double>(nanos) / 1e9; }

}  // namespace

Dispatcher::Dispatcher(SigningKey key, std::string lease_key,
                       int64_t lease_nanos, const tracker::BookState& state,
                       int64_t now, EventLog* log)
    : key_(std::move(key)),
      lease_key_(std::move(lease_key)),
      lease_nanos_(lease_nanos),
      log_(log) {
  for (const tracker::DeviceRecord& record : state.devices) {
    devices_[record.device].quarantine = record.quarantine;
  }
  for (const tracker::Request& request : state.requests) {
    asked_nanos_[request.ticket] = now;
  }
}

absl::StatusOr<Welcome> Dispatcher::Register(
    tracker::LeaseBook& book, const Hello& hello,
    std::shared_ptr<DeviceStream> stream, int64_t now) {
  ASSAY_RETURN_IF_ERROR(book.AddDevice(hello.device(), hello.key(), now));
  Device& device = devices_[hello.device()];
  if (device.stream != nullptr) {
    device.stream->Close(absl::AbortedError(absl::StrCat(
        "another stream has registered the device `", hello.device(), "`")));
  }
  device.stream = std::move(stream);
  device.address = hello.address();
  device.facts = hello.facts();
  log_->Write("device_registered", {{"device", hello.device()},
                                    {"key", hello.key()},
                                    {"address", hello.address()}});
  Welcome welcome;
  welcome.set_lease_key(lease_key_);
  welcome.set_least_token(book.LeastToken(hello.device()));
  return welcome;
}

absl::Status Dispatcher::Beat(tracker::LeaseBook& book,
                              const std::string& device_name,
                              const Heartbeat& heartbeat,
                              const DeviceStream* stream, int64_t now) {
  Device& device = devices_[device_name];
  if (device.stream.get() != stream) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(book.Heartbeat(device_name, /*health=*/"", now));
  device.last = heartbeat;
  if (!heartbeat.has_health()) return absl::OkStatus();
  const std::string problem = CleanReason(heartbeat.health().problem());
  device.last.mutable_health()->set_problem(problem);
  const bool by_health = absl::StartsWith(device.quarantine, kHealthReason);
  if (device.quarantine.empty() && !problem.empty()) {
    return SetQuarantine(book, device_name,
                         absl::StrCat(kHealthReason, problem), now);
  }
  if (by_health && problem.empty()) {
    return SetQuarantine(book, device_name, "", now);
  }
  return absl::OkStatus();
}

void Dispatcher::Disconnect(tracker::LeaseBook& book,
                            const std::string& device_name,
                            const DeviceStream* stream, bool leaves,
                            int64_t now) {
  const auto device = devices_.find(device_name);
  if (device == devices_.end() || device->second.stream.get() != stream) return;
  device->second.stream = nullptr;
  log_->Write("device_disconnected",
              {{"device", device_name}, {"leaves", leaves}});
  if (leaves) book.LoseDevice(device_name, now).IgnoreError();
}

absl::Status Dispatcher::Acquire(tracker::LeaseBook& book,
                                 const AcquireRequest& request,
                                 const std::string& user,
                                 std::shared_ptr<WaitingStream> stream,
                                 int64_t now) {
  const std::string& ticket = request.ticket();
  // A request without a wait is served in this round or never.
  const int64_t deadline = now + 1 + Nanos(request.wait_seconds());
  ASSAY_RETURN_IF_ERROR(book.Enqueue(
      {ticket, user, request.key(), request.priority()}, deadline, now));
  std::shared_ptr<WaitingStream>& waiting = waiting_[ticket];
  if (waiting != nullptr) {
    waiting->Close(absl::CancelledError(
        absl::StrCat("a later call waits with the ticket `", ticket, "`")));
  }
  waiting = std::move(stream);
  asked_nanos_.try_emplace(ticket, now);
  return absl::OkStatus();
}

void Dispatcher::Leave(tracker::LeaseBook& book, const std::string& ticket,
                       const WaitingStream* stream, int64_t now) {
  if (FindWaiting(ticket) != stream) return;
  waiting_.erase(ticket);
  book.Detach(ticket, now);
}

absl::StatusOr<Lease> Dispatcher::Renew(tracker::LeaseBook& book,
                                        const std::string& user, int64_t token,
                                        int64_t now) {
  ASSAY_ASSIGN_OR_RETURN(const tracker::Lease lease,
                         book.Renew(user, token, now));
  return Sign(lease);
}

absl::Status Dispatcher::Quarantine(tracker::LeaseBook& book,
                                    const QuarantineRequest& request,
                                    int64_t now) {
  return SetQuarantine(book, request.device(), CleanReason(request.reason()),
                       now);
}

absl::Status Dispatcher::SetQuarantine(tracker::LeaseBook& book,
                                       const std::string& device,
                                       const std::string& reason, int64_t now) {
  ASSAY_RETURN_IF_ERROR(book.SetQuarantine(device, reason, now));
  devices_[device].quarantine = reason;
  return absl::OkStatus();
}

std::shared_ptr<const ListAnswer> Dispatcher::List(tracker::LeaseBook& book,
                                                   int64_t now) {
  if (list_nanos_ == now) return list_;
  ListDetails details;
  details.heartbeat = [this](const std::string& device) -> const Heartbeat* {
    const auto found = devices_.find(device);
    return found == devices_.end() ? nullptr : &found->second.last;
  };
  details.facts = [this](const std::string& device) -> const DeviceFacts* {
    const auto found = devices_.find(device);
    return found == devices_.end() ? nullptr : &found->second.facts;
  };
  details.asked_nanos = [this, now](const std::string& ticket) {
    const auto found = asked_nanos_.find(ticket);
    return found == asked_nanos_.end() ? now : found->second;
  };
  list_ = std::make_shared<const ListAnswer>(
      MakeListAnswer(book.Snapshot(now), details, now));
  list_nanos_ = now;
  return list_;
}

bool Dispatcher::Handle(const std::vector<tracker::Event>& events,
                        tracker::LeaseBook& book, int64_t now) {
  list_ = nullptr;
  list_nanos_ = -1;
  bool changed = false;
  for (const tracker::Event& event : events) {
    if (const auto* granted = std::get_if<tracker::LeaseGranted>(&event)) {
      changed |= HandleOne(*granted, book, now);
    } else if (const auto* ended = std::get_if<tracker::LeaseEnded>(&event)) {
      HandleOne(*ended);
    } else if (const auto* moved = std::get_if<tracker::RequestMoved>(&event)) {
      HandleOne(*moved);
    } else if (const auto* over = std::get_if<tracker::RequestEnded>(&event)) {
      HandleOne(*over);
    } else if (const auto* device =
                   std::get_if<tracker::DeviceChanged>(&event)) {
      HandleOne(*device);
    }
  }
  return changed;
}

void Dispatcher::CloseAll(const absl::Status& status) {
  for (auto& [ticket, stream] : waiting_) stream->Close(status);
  waiting_.clear();
  for (auto& [name, device] : devices_) {
    if (device.stream != nullptr) device.stream->Close(status);
    device.stream = nullptr;
  }
}

absl::StatusOr<Lease> Dispatcher::Sign(const tracker::Lease& lease) const {
  LeaseTerms terms;
  terms.set_device(lease.device);
  terms.set_key(lease.key);
  terms.set_user(lease.user);
  terms.set_token(lease.token);
  terms.set_renewals(lease.renewals);
  terms.set_seconds(Seconds(lease_nanos_));
  Lease signed_lease;
  signed_lease.set_terms(terms.SerializeAsString());
  ASSAY_ASSIGN_OR_RETURN(
      *signed_lease.mutable_signature(),
      key_.Sign(SignaturePurpose::kLease, signed_lease.terms()));
  const auto device = devices_.find(lease.device);
  if (device != devices_.end()) {
    signed_lease.set_address(device->second.address);
    *signed_lease.mutable_facts() = device->second.facts;
  }
  return signed_lease;
}

WaitingStream* Dispatcher::FindWaiting(const std::string& ticket) {
  const auto found = waiting_.find(ticket);
  return found == waiting_.end() ? nullptr : found->second.get();
}

bool Dispatcher::HandleOne(const tracker::LeaseGranted& event,
                           tracker::LeaseBook& book, int64_t now) {
  const tracker::Lease& lease = event.lease;
  bool sent = false;
  if (WaitingStream* stream = FindWaiting(lease.ticket)) {
    const absl::StatusOr<Lease> signed_lease = Sign(lease);
    if (signed_lease.ok()) {
      sent = stream->SendLease(*signed_lease, lease.token);
    } else {
      stream->Close(signed_lease.status());
    }
    waiting_.erase(lease.ticket);
  }
  asked_nanos_.erase(lease.ticket);
  log_->Write("lease_granted", {{"device", lease.device},
                                {"token", lease.token},
                                {"user", lease.user},
                                {"sent", sent}});
  if (sent) return false;
  book.Release(lease.user, lease.token, now).IgnoreError();
  return true;
}

void Dispatcher::HandleOne(const tracker::LeaseEnded& event) {
  const tracker::Lease& lease = event.lease;
  log_->Write("lease_ended", {{"device", lease.device},
                              {"token", lease.token},
                              {"user", lease.user},
                              {"reason", LeaseEndText(event.reason)}});
  const auto device = devices_.find(lease.device);
  if (device == devices_.end() || device->second.stream == nullptr) return;
  ToDevice message;
  message.mutable_ended()->set_device(lease.device);
  message.mutable_ended()->set_token(lease.token);
  device->second.stream->Send(message);
}

void Dispatcher::HandleOne(const tracker::RequestMoved& event) {
  WaitingStream* stream = FindWaiting(event.request.ticket);
  if (stream == nullptr) return;
  Place place;
  place.set_ticket(event.request.ticket);
  place.set_place(static_cast<int32_t>(event.place));
  place.set_wait_seconds(
      event.expected_wait_nanos < 0 ? -1 : Seconds(event.expected_wait_nanos));
  stream->SendPlace(place);
}

void Dispatcher::HandleOne(const tracker::RequestEnded& event) {
  const tracker::Request& request = event.request;
  asked_nanos_.erase(request.ticket);
  WaitingStream* stream = FindWaiting(request.ticket);
  if (stream == nullptr) return;
  stream->Close(
      event.reason == tracker::RequestEnd::kCancelled
          ? absl::CancelledError(absl::StrCat("the request with the ticket `",
                                              request.ticket,
                                              "` was withdrawn"))
          : absl::DeadlineExceededError(absl::StrCat(
                "no device with the key `", request.key,
                "` was free within the time for which the call waits")));
  waiting_.erase(request.ticket);
}

void Dispatcher::HandleOne(const tracker::DeviceChanged& event) {
  const tracker::DeviceRecord& record = event.record;
  log_->Write("device_changed",
              {{"device", record.device},
               {"key", record.key},
               {"state", std::string(tracker::StateName(event.state))},
               {"quarantine", record.quarantine}});
}

}  // namespace assay::rpc
