#include "tests/farm/chaos/promises.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

constexpr int kWaiters = 3;
// Within this time, the device registers again.
constexpr double kPatience = 9;

bool WaitFor(const std::function<bool()>& condition, double seconds) {
  const int64_t end = MonotonicNanos() + static_cast<int64_t>(seconds * 1e9);
  while (!condition()) {
    if (MonotonicNanos() > end) return false;
    SleepSeconds(0.01);
  }
  return true;
}

}  // namespace

absl::Status Promises::Make() {
  if (client_ == nullptr) {
    ASSAY_ASSIGN_OR_RETURN(auto options, farm_->ClientOf("me"));
    ASSAY_ASSIGN_OR_RETURN(client_, RawClient::Open(std::move(options)));
  }
  ++rounds_;
  ASSAY_ASSIGN_OR_RETURN(lease_, client_->Acquire(kProbeKey, "", 30));
  if (lease_.name.token() <= last_token_) Lose("a token was not higher");
  last_token_ = lease_.name.token();
  for (int i = 0; i < kWaiters; ++i) {
    waiters_.push_back(std::make_unique<Waiter>());
    Waiter* const waiter = waiters_.back().get();
    waiter->ticket = absl::StrCat("promise-", rounds_, "-", i);
    waiter->thread = std::thread([this, waiter] { Wait(waiter); });
    // The next one asks later.
    if (!WaitFor([&] { return waiter->placed > 0; }, kPatience)) {
      return absl::DeadlineExceededError("a request was told no place");
    }
  }
  made_ += 1 + kWaiters;
  return absl::OkStatus();
}

void Promises::Wait(Waiter* waiter) {
  while (!stop_) {
    const int attempt = ++waiter->attempt;
    const absl::StatusOr<RawLease> lease = client_->Acquire(
        kProbeKey, waiter->ticket, 40, [&] { waiter->placed = attempt; });
    if (!lease.ok()) {
      SleepSeconds(0.05);
      continue;
    }
    waiter->token = lease->name.token();
    client_->Release(lease->name).IgnoreError();
    return;
  }
}

void Promises::Check() {
  // Requests whose connection was lost have begun again.
  const bool placed = WaitFor(
      [&] {
        for (const auto& waiter : waiters_) {
          if (waiter->attempt < 2 || waiter->placed != waiter->attempt) {
            return false;
          }
        }
        return true;
      },
      kPatience);
  if (!placed) Lose("a request was told no place");
  absl::Status renewed;
  WaitFor(
      [&] {
        renewed = client_->Renew(lease_.name).status();
        return !absl::IsUnavailable(renewed);
      },
      kPatience);
  if (!renewed.ok()) Lose(absl::StrCat("a lease: ", renewed.ToString()));
  client_->Release(lease_.name).IgnoreError();
  // They are served one after the other.
  for (const auto& waiter : waiters_) {
    WaitFor([&] { return waiter->token >= 0; }, kPatience);
    if (waiter->token <= last_token_) {
      Lose(absl::StrCat("the place of ", waiter->ticket));
    }
    last_token_ = std::max<int64_t>(last_token_, waiter->token);
  }
  Join();
}

void Promises::Lose(const std::string& what) {
  if (++lost_ == 1) first_loss_ = what;
}

void Promises::Join() {
  stop_ = true;
  for (const auto& waiter : waiters_) waiter->thread.join();
  waiters_.clear();
  stop_ = false;
}

}  // namespace assay
