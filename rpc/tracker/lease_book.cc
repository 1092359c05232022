#include "rpc/tracker/lease_book.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc::tracker {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;

// Returns an error unless a ticket of `owner` is used by this user.
absl::Status CheckUser(const std::string& ticket, const std::string& owner,
                       const std::string& user) {
  if (user == owner) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat("the ticket `", ticket, "` belongs to another user"));
}

// Returns an error if a client uses the ticket of another request.
absl::Status CheckTicket(const Request& request, const std::string& user,
                         const std::string& key) {
  ASSAY_RETURN_IF_ERROR(CheckUser(request.ticket, user, request.user));
  if (request.key != key) {
    return absl::InvalidArgumentError(
        absl::StrCat("the ticket `", request.ticket, "` was used for `", key,
                     "` and cannot be used for `", request.key, "`"));
  }
  return absl::OkStatus();
}

// Returns an error if a user asks for the lease of another one.
absl::Status CheckHolder(const Lease& lease, const std::string& user) {
  if (lease.user == user) return absl::OkStatus();
  return absl::PermissionDeniedError(absl::StrCat("the lease ", lease.token,
                                                  " of `", lease.device,
                                                  "` belongs to another user"));
}

// Returns true if a client need not be told the new expected wait.
bool AboutEqual(int64_t old_wait, int64_t new_wait) {
  if (old_wait < 0 || new_wait < 0) return old_wait == new_wait;
  return std::max(old_wait, new_wait) - std::min(old_wait, new_wait) <
         kSecondNanos;
}

}  // namespace

absl::StatusOr<LeaseBook> LeaseBook::Restore(const LeaseOptions& options,
                                             const BookState& state,
                                             int64_t now) {
  ASSAY_RETURN_IF_ERROR(ValidateState(state));
  LeaseBook book(options);
  book.SetTime(now);
  book.last_token_ = state.reserved_tokens;
  book.reserved_tokens_ = state.reserved_tokens;
  book.usage_.Restore(state.usage, now);
  for (const DeviceRecord& record : state.devices) {
    Device& device = book.devices_.Add(record.device, record.key, now);
    device.quarantine = record.quarantine;
  }
  std::vector<Lease> leases = state.leases;
  std::sort(leases.begin(), leases.end(),
            [](const Lease& a, const Lease& b) { return a.token < b.token; });
  for (Lease& lease : leases) {
    Device& device = *book.devices_.Find(lease.device);
    lease.key = device.key;
    lease.granted_nanos = now;
    const bool first = lease.restart_nanos <= 0 || lease.restart_nanos > now;
    if (first) lease.restart_nanos = now;
    lease.expires_nanos = lease.restart_nanos + options.lease_nanos;
    // Each restart reserves tokens, so the devices have seen smaller numbers.
    lease.renewals = state.reserved_tokens;
    if (first) book.events_.push_back(LeaseContinues{lease});
    book.StartLease(device, std::move(lease));
  }
  for (const Request& request : state.requests) {
    book.queue_.Add(request, now + options.detached_nanos, /*attached=*/false);
  }
  return book;
}

absl::Status LeaseBook::AddDevice(const std::string& id, const std::string& key,
                                  int64_t now) {
  SetTime(now);
  if (id.empty() || key.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "device `", id, "` cannot have the key `", key, "`: one is empty"));
  }
  Device* device = devices_.Find(id);
  if (device == nullptr) {
    if (devices_.size() >= options_.max_devices) {
      return absl::ResourceExhaustedError(
          absl::StrCat("there are ", devices_.size(),
                       " devices, and no room for device `", id, "`"));
    }
    device = &devices_.Add(id, key, now_);
  }
  const bool new_key = device->key != key;
  if (new_key) {
    if (device->lease) EndLease(*device, LeaseEnd::kDeviceLost);
    devices_.ChangeKey(*device, key);
  }
  const bool was_lost = device->lost;
  device->registered = true;
  device->lost = false;
  device->heartbeat_nanos = now_;
  UpdateState(*device, now_);
  if (new_key || was_lost) ReportDevice(*device);
  return absl::OkStatus();
}

absl::Status LeaseBook::Heartbeat(const std::string& id,
                                  const std::string& health, int64_t now) {
  SetTime(now);
  ASSAY_ASSIGN_OR_RETURN(Device * device, FindDevice(id));
  if (!device->registered) {
    return absl::FailedPreconditionError(absl::StrCat(
        "device `", id, "` has not registered since the tracker was started"));
  }
  device->heartbeat_nanos = now_;
  device->health = health;
  if (!device->lost) return absl::OkStatus();
  device->lost = false;
  UpdateState(*device, now_);
  ReportDevice(*device);
  return absl::OkStatus();
}

absl::Status LeaseBook::SetQuarantine(const std::string& id,
                                      const std::string& reason, int64_t now) {
  SetTime(now);
  ASSAY_ASSIGN_OR_RETURN(Device * device, FindDevice(id));
  if (device->quarantine == reason) return absl::OkStatus();
  device->quarantine = reason;
  if (device->lease && !reason.empty()) {
    EndLease(*device, LeaseEnd::kQuarantined);
  }
  UpdateState(*device, now_);
  ReportDevice(*device);
  return absl::OkStatus();
}

absl::Status LeaseBook::LoseDevice(const std::string& id, int64_t now) {
  SetTime(now);
  ASSAY_ASSIGN_OR_RETURN(Device * device, FindDevice(id));
  if (!device->lost) Lose(*device);
  return absl::OkStatus();
}

absl::Status LeaseBook::RemoveDevice(const std::string& id, int64_t now) {
  SetTime(now);
  ASSAY_ASSIGN_OR_RETURN(Device * device, FindDevice(id));
  if (!device->lost || device->lease) {
    return absl::FailedPreconditionError(absl::StrCat(
        "device `", id,
        "` cannot be removed, because it is not lost or has a lease"));
  }
  devices_.Remove(*device);
  events_.push_back(DeviceRemoved{id});
  return absl::OkStatus();
}

absl::Status LeaseBook::Enqueue(Request request, int64_t deadline_nanos,
                                int64_t now) {
  SetTime(now);
  if (request.ticket.empty() || request.user.empty() || request.key.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the request `", request.ticket, "` of `", request.user,
                     "` for `", request.key, "` has an empty name"));
  }
  if (RequestQueue::Entry* entry = queue_.Find(request.ticket)) {
    const Request& first = entry->request;
    ASSAY_RETURN_IF_ERROR(CheckTicket(request, first.user, first.key));
    if (request.priority != first.priority) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the ticket `", request.ticket, "` was used with the priority ",
          first.priority, " and cannot be used with ", request.priority));
    }
    queue_.Attach(*entry, deadline_nanos);
    return absl::OkStatus();
  }
  const Lease* lease = LeaseOfTicket(request.ticket);
  if (lease != nullptr && now_ < lease->expires_nanos) {
    ASSAY_RETURN_IF_ERROR(CheckTicket(request, lease->user, lease->key));
    ASSAY_ASSIGN_OR_RETURN(Lease renewed,
                           Renew(lease->user, lease->token, now_));
    events_.push_back(LeaseGranted{std::move(renewed)});
    return absl::OkStatus();
  }
  if (!devices_.KnowsKey(request.key)) {
    const std::string keys = absl::StrJoin(devices_.Keys(), ", ");
    return absl::NotFoundError(absl::StrCat(
        "no device has the key `", request.key,
        "`; the keys of this tracker are: ", keys.empty() ? "none" : keys));
  }
  const int64_t of_user = queue_.SizeOfUser(request.user);
  if (of_user >= options_.max_requests_per_user) {
    return absl::ResourceExhaustedError(
        absl::StrCat("user `", request.user, "` has ", of_user,
                     " requests in the queue, and no room for ticket `",
                     request.ticket, "`"));
  }
  if (queue_.size() >= options_.max_requests) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the queue has ", queue_.size(), " requests, and no room for ticket `",
        request.ticket, "`"));
  }
  request.order = 0;
  const RequestQueue::Entry& entry =
      queue_.Add(std::move(request), deadline_nanos, /*attached=*/true);
  events_.push_back(RequestQueued{entry.request});
  return absl::OkStatus();
}

absl::Status LeaseBook::Cancel(const std::string& user,
                               const std::string& ticket, int64_t now) {
  SetTime(now);
  if (RequestQueue::Entry* entry = queue_.Find(ticket)) {
    ASSAY_RETURN_IF_ERROR(CheckUser(ticket, entry->request.user, user));
    events_.push_back(RequestEnded{entry->request, RequestEnd::kCancelled});
    queue_.Remove(*entry);
  } else if (const Lease* lease = LeaseOfTicket(ticket)) {
    ASSAY_RETURN_IF_ERROR(CheckUser(ticket, lease->user, user));
    EndLease(*leased_.at(lease->token), LeaseEnd::kReleased);
  }
  return absl::OkStatus();
}

void LeaseBook::Detach(const std::string& ticket, int64_t now) {
  SetTime(now);
  RequestQueue::Entry* entry = queue_.Find(ticket);
  if (entry == nullptr) return;
  queue_.Detach(
      *entry, std::min(entry->deadline_nanos, now_ + options_.detached_nanos));
}

absl::StatusOr<Lease> LeaseBook::Renew(const std::string& user, int64_t token,
                                       int64_t now) {
  SetTime(now);
  const auto found = leased_.find(token);
  if (found == leased_.end()) return ended_.Error(token);
  const Device& device = *found->second;
  Lease& lease = *found->second->lease;
  ASSAY_RETURN_IF_ERROR(CheckHolder(lease, user));
  if (now_ >= lease.expires_nanos) {
    return LeaseEndedError(token, device.id, LeaseEnd::kExpired);
  }
  if (!device.registered) {
    return absl::UnavailableError(absl::StrCat(
        "device `", device.id,
        "` has not registered since the tracker was started; try again"));
  }
  lease.expires_nanos = now_ + options_.lease_nanos;
  ++lease.renewals;
  if (lease.restart_nanos != 0) {
    lease.restart_nanos = 0;
    events_.push_back(LeaseContinues{lease});
  }
  usage_.Mark(user);
  return lease;
}

absl::Status LeaseBook::Release(const std::string& user, int64_t token,
                                int64_t now) {
  SetTime(now);
  const auto found = leased_.find(token);
  if (found == leased_.end()) return absl::OkStatus();
  Device& device = *found->second;
  ASSAY_RETURN_IF_ERROR(CheckHolder(*device.lease, user));
  EndLease(device, LeaseEnd::kReleased);
  return absl::OkStatus();
}

int64_t LeaseBook::LeastToken(const std::string& id) const {
  const auto found = devices_.devices().find(id);
  return found != devices_.devices().end() && found->second.lease
             ? found->second.lease->token
             : last_token_ + 1;
}

void LeaseBook::ConfirmTokens(int64_t until) {
  reserved_tokens_ = std::max(reserved_tokens_, until);
}

std::vector<Event> LeaseBook::Advance(int64_t now) {
  SetTime(now);
  for (auto& [id, device] : devices_.devices()) {
    if (device.lease &&
        now_ >= device.lease->expires_nanos + options_.margin_nanos) {
      EndLease(device, LeaseEnd::kExpired);
    }
    if (!device.lost && now_ >= device.heartbeat_nanos + options_.lost_nanos) {
      Lose(device);
    }
  }
  while (RequestQueue::Entry* entry = queue_.FirstDue(now_)) {
    events_.push_back(RequestEnded{entry->request, RequestEnd::kTimedOut});
    queue_.Remove(*entry);
  }
  LendDevices();
  ReportPlaces();
  if (reserved_tokens_ - last_token_ <= options_.token_batch / 2) {
    events_.push_back(TokensWanted{reserved_tokens_ + options_.token_batch});
  }
  for (UsageRecord& record : usage_.TakeChanges(now_)) {
    events_.push_back(UsageChanged{std::move(record)});
  }
  return std::exchange(events_, {});
}

int64_t LeaseBook::NextEventNanos() const {
  int64_t next = queue_.NextDeadlineNanos();
  for (const auto& [id, device] : devices_.devices()) {
    if (device.lease) {
      next =
          std::min(next, device.lease->expires_nanos + options_.margin_nanos);
    }
    if (!device.lost) {
      next = std::min(next, device.heartbeat_nanos + options_.lost_nanos);
    }
  }
  if (!queue_.AttachedKeys().empty()) next = std::min(next, next_report_nanos_);
  return next;
}

BookSnapshot LeaseBook::Snapshot(int64_t now) {
  SetTime(now);
  BookSnapshot snapshot;
  std::map<std::string, BookSnapshot::Key> keys;
  for (const std::string& key : devices_.Keys()) keys[key].key = key;
  for (const auto& [id, device] : devices_.devices()) {
    BookSnapshot::Key& key = keys[device.key];
    ++key.total;
    if (device.state == DeviceState::kFree) ++key.free;
    if (device.state == DeviceState::kLeased) ++key.leased;
    snapshot.devices.push_back({id, device.key, device.state,
                                device.since_nanos, device.health,
                                device.quarantine, device.lease});
  }
  for (const std::string& key : queue_.AttachedKeys()) {
    const int64_t mean = wait_.MeanNanos(key);
    const int64_t usable = devices_.Usable(key);
    int64_t place = 0;
    for (const auto* entry : queue_.InOrder(key, usage_, mean, now_)) {
      ++place;
      snapshot.queue.push_back({entry->request, place,
                                wait_.Nanos(key, place, usable),
                                entry->deadline_nanos});
    }
  }
  for (const auto& [order, entry] : queue_.entries()) {
    const Request& request = entry.request;
    keys[request.key].key = request.key;
    ++keys[request.key].pending;
    if (entry.attached) continue;
    snapshot.queue.push_back({request, 0, -1, entry.deadline_nanos});
  }
  for (auto& [name, key] : keys) snapshot.keys.push_back(std::move(key));
  return snapshot;
}

BookState LeaseBook::State(int64_t now) {
  SetTime(now);
  BookState state;
  for (const auto& [id, device] : devices_.devices()) {
    state.devices.push_back({id, device.key, device.quarantine});
    if (device.lease) state.leases.push_back(*device.lease);
  }
  for (const auto& [order, entry] : queue_.entries()) {
    state.requests.push_back(entry.request);
  }
  state.usage = usage_.Records(now_);
  state.reserved_tokens = reserved_tokens_;
  return state;
}

void LeaseBook::SetTime(int64_t now) { now_ = std::max(now_, now); }

absl::StatusOr<Device*> LeaseBook::FindDevice(const std::string& id) {
  Device* device = devices_.Find(id);
  if (device == nullptr) {
    return absl::NotFoundError(absl::StrCat("there is no device `", id, "`"));
  }
  return device;
}

const Lease* LeaseBook::LeaseOfTicket(const std::string& ticket) const {
  const auto found = tickets_.find(ticket);
  if (found == tickets_.end()) return nullptr;
  return &*leased_.at(found->second)->lease;
}

void LeaseBook::ReportDevice(const Device& device) {
  events_.push_back(
      DeviceChanged{{device.id, device.key, device.quarantine}, device.state});
}

void LeaseBook::Lose(Device& device) {
  device.lost = true;
  if (device.lease) EndLease(device, LeaseEnd::kDeviceLost);
  UpdateState(device, now_);
  ReportDevice(device);
}

void LeaseBook::GrantTo(Device& device, RequestQueue::Entry& entry) {
  Lease lease;
  lease.token = ++last_token_;
  lease.device = device.id;
  lease.key = device.key;
  lease.user = entry.request.user;
  lease.ticket = entry.request.ticket;
  lease.granted_nanos = now_;
  lease.expires_nanos = now_ + options_.lease_nanos;
  queue_.Remove(entry);
  events_.push_back(LeaseGranted{lease});
  StartLease(device, std::move(lease));
}

void LeaseBook::StartLease(Device& device, Lease lease) {
  usage_.Begin(lease.user, now_);
  leased_[lease.token] = &device;
  tickets_[lease.ticket] = lease.token;
  device.lease = std::move(lease);
  UpdateState(device, now_);
}

void LeaseBook::EndLease(Device& device, LeaseEnd reason) {
  Lease lease = *std::move(device.lease);
  device.lease.reset();
  UpdateState(device, now_);
  usage_.End(lease.user, now_);
  leased_.erase(lease.token);
  // The ticket can have a newer lease, if this one has expired.
  const auto ticket = tickets_.find(lease.ticket);
  if (ticket != tickets_.end() && ticket->second == lease.token) {
    tickets_.erase(ticket);
  }
  ended_.Add(lease.token, lease.device, reason);
  if (reason == LeaseEnd::kReleased || reason == LeaseEnd::kExpired) {
    wait_.AddLease(lease.key, now_ - lease.granted_nanos);
  }
  events_.push_back(LeaseEnded{std::move(lease), reason});
}

void LeaseBook::LendDevices() {
  for (const std::string& key : queue_.AttachedKeys()) {
    while (last_token_ < reserved_tokens_) {
      Device* device = devices_.LongestFree(key);
      if (device == nullptr) break;
      RequestQueue::Entry* next = queue_.Next(key, usage_, now_);
      if (next == nullptr) break;
      GrantTo(*device, *next);
    }
  }
}

void LeaseBook::ReportPlaces() {
  const std::vector<std::string> keys = queue_.AttachedKeys();
  if (keys.empty() || now_ < next_report_nanos_) return;
  next_report_nanos_ = now_ + options_.report_nanos;
  for (const std::string& key : keys) {
    const int64_t mean = wait_.MeanNanos(key);
    const int64_t usable = devices_.Usable(key);
    int64_t place = 0;
    for (RequestQueue::Entry* entry : queue_.InOrder(key, usage_, mean, now_)) {
      ++place;
      const int64_t wait = wait_.Nanos(key, place, usable);
      if (entry->place == place &&
          AboutEqual(entry->expected_wait_nanos, wait)) {
        continue;
      }
      entry->place = place;
      entry->expected_wait_nanos = wait;
      events_.push_back(RequestMoved{entry->request, place, wait});
    }
  }
}

}  // namespace assay::rpc::tracker
