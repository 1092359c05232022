#include "rpc/proxy/device_table.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace assay::rpc {
namespace {

int CountOf(const std::map<std::string, int>& counts, const std::string& name) {
  const auto it = counts.find(name);
  return it == counts.end() ? 0 : it->second;
}

void Decrement(std::map<std::string, int>& counts, const std::string& name) {
  const auto it = counts.find(name);
  CHECK(it != counts.end());
  if (--it->second == 0) counts.erase(it);
}

void Remove(std::deque<int64_t>& numbers, int64_t number) {
  numbers.erase(std::remove(numbers.begin(), numbers.end(), number),
                numbers.end());
}

int64_t TakeFront(std::deque<int64_t>& numbers) {
  const int64_t front = numbers.front();
  numbers.pop_front();
  return front;
}

absl::Status TooMany(const std::string& whose, int limit,
                     const std::string& what) {
  return absl::ResourceExhaustedError(
      absl::StrCat(whose, " has ", limit, " ", what, " and may have no more"));
}

}  // namespace

absl::StatusOr<DeviceTable::Attached> DeviceTable::Attach(
    const std::string& device) {
  Attached attached;
  attached.replaced = SessionOf(device);
  attached.remains = Detach(attached.replaced);
  if (devices() >= limits_.devices) {
    return TooMany("the proxy", limits_.devices, "devices");
  }
  attached.session = ++last_session_;
  by_device_[device] = attached.session;
  sessions_[attached.session].device = device;
  return attached;
}

DeviceTable::Remains DeviceTable::Detach(int64_t session) {
  Remains remains;
  const auto it = sessions_.find(session);
  if (it == sessions_.end()) return remains;
  for (const auto& [number, stream] : streams_) {
    if (stream.session == session) remains.streams.push_back(number);
  }
  remains.waiting_calls.assign(it->second.waiting_calls.begin(),
                               it->second.waiting_calls.end());
  by_device_.erase(it->second.device);
  sessions_.erase(it);
  return remains;
}

int64_t DeviceTable::SessionOf(const std::string& device) const {
  const auto it = by_device_.find(device);
  return it == by_device_.end() ? 0 : it->second;
}

absl::StatusOr<int64_t> DeviceTable::OpenStream(int64_t session,
                                                int64_t stream) {
  const auto it = sessions_.find(session);
  if (it == sessions_.end()) {
    return absl::NotFoundError("the session of the device has ended");
  }
  const std::string& device = it->second.device;
  if (CountOf(streams_of_device_, device) >= limits_.streams_per_device) {
    return TooMany(absl::StrCat("the device `", device, "`"),
                   limits_.streams_per_device, "streams");
  }
  CHECK(stream != 0 && streams_.count(stream) == 0);
  streams_[stream] = {session, device};
  ++streams_of_device_[device];
  if (!it->second.waiting_calls.empty()) {
    return TakeFront(it->second.waiting_calls);
  }
  it->second.waiting_streams.push_back(stream);
  return 0;
}

void DeviceTable::CloseStream(int64_t stream) {
  const auto it = streams_.find(stream);
  if (it == streams_.end()) return;
  const auto session = sessions_.find(it->second.session);
  if (session != sessions_.end()) {
    Remove(session->second.waiting_streams, stream);
  }
  Decrement(streams_of_device_, it->second.device);
  streams_.erase(it);
}

absl::StatusOr<int64_t> DeviceTable::StartCall(int64_t session,
                                               const std::string& user,
                                               int64_t call,
                                               int64_t now_nanos) {
  const auto it = sessions_.find(session);
  if (it == sessions_.end()) {
    return absl::UnavailableError("the device is not attached to the proxy");
  }
  const std::string& device = it->second.device;
  if (calls() >= limits_.calls) {
    return TooMany("the proxy", limits_.calls, "calls");
  }
  if (CountOf(calls_of_device_, device) >= limits_.calls_per_device) {
    return TooMany(absl::StrCat("the device `", device, "`"),
                   limits_.calls_per_device, "calls");
  }
  if (CountOf(calls_of_user_, user) >= limits_.calls_per_user) {
    return TooMany(absl::StrCat("the user `", user, "`"),
                   limits_.calls_per_user, "calls");
  }
  CHECK(call != 0 && calls_.count(call) == 0);
  calls_[call] = {session, device, user, now_nanos + limits_.wait_nanos};
  ++calls_of_device_[device];
  ++calls_of_user_[user];
  if (!it->second.waiting_streams.empty()) {
    return TakeFront(it->second.waiting_streams);
  }
  it->second.waiting_calls.push_back(call);
  return 0;
}

void DeviceTable::EndCall(int64_t call) {
  const auto it = calls_.find(call);
  if (it == calls_.end()) return;
  const auto session = sessions_.find(it->second.session);
  if (session != sessions_.end()) Remove(session->second.waiting_calls, call);
  Decrement(calls_of_device_, it->second.device);
  Decrement(calls_of_user_, it->second.user);
  calls_.erase(it);
}

std::vector<int64_t> DeviceTable::TakeOverdue(int64_t now_nanos) {
  std::vector<int64_t> overdue;
  for (auto& [number, session] : sessions_) {
    std::deque<int64_t>& waiting = session.waiting_calls;
    while (!waiting.empty() &&
           calls_.at(waiting.front()).overdue_nanos <= now_nanos) {
      overdue.push_back(TakeFront(waiting));
    }
  }
  return overdue;
}

}  // namespace assay::rpc
