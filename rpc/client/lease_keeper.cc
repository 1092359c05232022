#include "rpc/client/lease_keeper.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr int64_t kReleaseNanos = kSecondNanos;
constexpr int64_t kSoonNanos = kSecondNanos / 2;
constexpr int64_t kMaxRenewalNanos = 10 * kSecondNanos;
// After this time, the tracker itself ends a request that waits too long.
constexpr int64_t kAnswerNanos = 5 * kSecondNanos;

// The text is as hard to guess as a token: whoever knows the ticket of another
// client of the same user could take its place.
std::string NewTicket() {
  std::random_device random;
  std::string ticket;
  for (int i = 0; i < 4; ++i) {
    absl::StrAppend(&ticket, absl::StrFormat("%08x", random()));
  }
  return ticket;
}

std::chrono::steady_clock::time_point AtNanos(int64_t nanos) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(nanos));
}

}  // namespace

absl::StatusOr<std::unique_ptr<LeaseKeeper>> LeaseKeeper::Acquire(
    TrackerClient* tracker, const LeaseWish& wish, const LeaseEvents& events,
    Cancellation* cancellation) {
  AcquireRequest request;
  request.set_key(wish.key);
  request.set_priority(wish.priority);
  request.set_ticket(NewTicket());
  const int64_t start = MonotonicNanos();
  const int64_t end =
      start + static_cast<int64_t>(
                  std::clamp(wish.wait_seconds, 0.0, kMaxLeaseSeconds) * 1e9);
  bool answered = false;
  int attempts = 0;
  std::optional<Lease> granted;
  const auto ask = [&](int64_t) -> absl::Status {
    ++attempts;
    const int64_t left = std::max<int64_t>(end - MonotonicNanos(), 0);
    request.set_wait_seconds(static_cast<double>(left) * 1e-9);
    absl::StatusOr<Lease> lease = tracker->Acquire(
        request, left + kAnswerNanos, cancellation, [&](const Place& place) {
          answered = true;
          if (events.place == nullptr) return;
          events.place(std::max(place.place(), 1), place.wait_seconds());
        });
    if (lease.ok()) granted = *std::move(lease);
    return lease.status();
  };
  Retry retry("the tracker", Clock::Monotonic(), cancellation, events.notify);
  absl::Status status =
      retry.Call(std::min(end, start + kFirstAnswerNanos), ask);
  if (absl::IsUnavailable(status) && answered) status = retry.Call(end, ask);
  // A lease may be on its way.
  if (!status.ok()) {
    tracker->Withdraw(request.ticket(), kReleaseNanos).IgnoreError();
  }
  if (absl::IsDeadlineExceeded(status)) {
    return absl::DeadlineExceededError(
        absl::StrFormat("no device of the key `%s` was free within %.0f s: %s",
                        wish.key, wish.wait_seconds, status.message()));
  }
  ASSAY_RETURN_IF_ERROR(status);
  absl::StatusOr<GrantedLease> lease = ReadLease(*granted);
  if (!lease.ok()) {
    tracker->Withdraw(request.ticket(), kReleaseNanos).IgnoreError();
    return lease.status();
  }
  auto keeper =
      absl::WrapUnique(new LeaseKeeper(tracker, events, *std::move(lease)));
  // The lease may have been granted long ago to an earlier call.
  if (attempts > 1) keeper->RenewSoon();
  return keeper;
}

LeaseKeeper::LeaseKeeper(TrackerClient* tracker, LeaseEvents events,
                         GrantedLease lease)
    : tracker_(tracker), events_(std::move(events)) {
  Keep(std::move(lease), MonotonicNanos());
  thread_ = std::thread([this] { RenewUntilStopped(); });
}

void LeaseKeeper::Keep(GrantedLease lease, int64_t asked_nanos) {
  lease_ = std::move(lease);
  valid_until_nanos_ = asked_nanos + lease_.nanos;
  next_nanos_ = asked_nanos + lease_.nanos / 3;
  last_nanos_ = asked_nanos;
  wait_nanos_ = std::min(kFirstRetryNanos, lease_.nanos / 10);
}

GrantedLease LeaseKeeper::lease() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return lease_;
}

void LeaseKeeper::RenewUntilStopped() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stop_ && work_.status().ok()) {
    const int64_t now = MonotonicNanos();
    if (now >= valid_until_nanos_) {
      work_.Cancel(absl::AbortedError(absl::StrFormat(
          "the lease of %s was lost: the tracker did not renew it for %.1f s: "
          "%s",
          lease_.name.device(), static_cast<double>(lease_.nanos) * 1e-9,
          last_error_)));
    } else if (now >= next_nanos_) {
      RenewOnce(&lock);
    } else {
      changed_.wait_until(lock,
                          AtNanos(std::min(next_nanos_, valid_until_nanos_)));
    }
  }
}

void LeaseKeeper::RenewOnce(std::unique_lock<std::mutex>* lock) {
  const LeaseName name = lease_.name;
  const int64_t start = MonotonicNanos();
  const int64_t timeout = std::min(
      {valid_until_nanos_ - start, lease_.nanos / 3, kMaxRenewalNanos});
  last_nanos_ = start;
  next_nanos_ = start + lease_.nanos;  // until there is an answer
  lock->unlock();
  absl::StatusOr<GrantedLease> renewed = absl::UnknownError("");
  const absl::StatusOr<Lease> answer =
      tracker_->Renew(name, timeout, &renewals_);
  renewed = answer.ok() ? ReadLease(*answer) : answer.status();
  if (renewed.ok() && renewed->name.token() != name.token()) {
    renewed = absl::InternalError("the tracker renewed another lease");
  }
  lock->lock();
  if (stop_) return;
  if (renewed.ok() && renewed->address.endpoint != lease_.address.endpoint) {
    // Its sessions are over, and calls go to the earlier address.
    work_.Cancel(absl::AbortedError(
        absl::StrCat("the lease of ", name.device(),
                     " was lost: its server was started again at ",
                     renewed->address.endpoint)));
    return;
  }
  if (renewed.ok()) {
    Keep(*std::move(renewed), start);
    if (events_.renewed == nullptr) return;
    lock->unlock();
    events_.renewed();
    lock->lock();
    return;
  }
  if (absl::IsAborted(renewed.status())) {
    ended_ = true;
    work_.Cancel(absl::AbortedError(
        absl::StrCat("the lease of ", name.device(),
                     " was lost: ", renewed.status().message())));
    return;
  }
  // All other errors can pass before the lease ends: the tracker is started
  // again, or its file of tokens is being replaced.
  last_error_ = std::string(renewed.status().message());
  const int64_t wait = wait_nanos_;
  wait_nanos_ = std::min({2 * wait_nanos_, kMaxRetryNanos, lease_.nanos / 10});
  next_nanos_ = MonotonicNanos() + wait;
  if (events_.notify == nullptr) return;
  const std::string notice = absl::StrFormat(
      "the tracker does not renew the lease of %s (%s): trying again in %.1f s",
      name.device(), last_error_, static_cast<double>(wait) * 1e-9);
  lock->unlock();
  events_.notify(notice);
  lock->lock();
}

void LeaseKeeper::RenewSoon() {
  const std::lock_guard<std::mutex> lock(mutex_);
  next_nanos_ = std::min(next_nanos_, last_nanos_ + kSoonNanos);
  changed_.notify_all();
}

void LeaseKeeper::GiveUp(absl::string_view reason) {
  const std::lock_guard<std::mutex> lock(mutex_);
  work_.Cancel(absl::AbortedError(absl::StrCat(
      "the lease of ", lease_.name.device(), " was lost: ", reason)));
  changed_.notify_all();
}

void LeaseKeeper::Release() {
  const std::lock_guard<std::mutex> release(release_mutex_);
  if (!thread_.joinable()) return;
  work_.Cancel(absl::CancelledError("the lease was given back"));
  renewals_.Cancel(absl::CancelledError("the lease was given back"));
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  thread_.join();
  if (ended_) return;
  // Without an answer, the lease ends when it expires.
  tracker_->Release(lease_.name, kReleaseNanos).IgnoreError();
}

}  // namespace assay::rpc
