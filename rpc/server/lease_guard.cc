#include "rpc/server/lease_guard.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "rpc/names/metadata.h"
#include "rpc/proto/tracker.pb.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr size_t kMaxTermsBytes = 4 << 10;
constexpr size_t kMaxUserBytes = 64;
// The tracker's leases take seconds.
constexpr double kMaxSeconds = 86400;

}  // namespace

LeaseGuard::LeaseGuard(std::string device, Clock* clock)
    : device_(std::move(device)), clock_(clock) {}

absl::Status LeaseGuard::SetKey(const std::string& lease_key_pem,
                                int64_t least_token) {
  ASSAY_ASSIGN_OR_RETURN(
      TrustedKeys keys,
      TrustedKeys::Parse(lease_key_pem, "the lease key of the tracker"));
  if (keys.names().size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("the tracker has sent ", keys.names().size(),
                     " lease keys instead of one"));
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (lease_key_pem != key_pem_) {
      key_pem_ = lease_key_pem;
      key_ = std::make_shared<const TrustedKeys>(std::move(keys));
      ended_ = -1;
      current_ = Current();
    }
    // 0 is the least token that can be valid.
    if (least_token > 0) ended_ = std::max(ended_, least_token - 1);
  }
  Notify();
  return absl::OkStatus();
}

void LeaseGuard::Ended(int64_t token) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = std::max(ended_, token);
  }
  Notify();
}

absl::StatusOr<LeaseHolder> LeaseGuard::Check(absl::string_view bytes) {
  std::shared_ptr<const TrustedKeys> key;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    key = key_;
  }
  if (key == nullptr) {
    return absl::UnavailableError(
        "the device is not registered at its tracker yet");
  }
  Lease lease;
  if (bytes.size() > kMaxLeaseBytes ||
      !lease.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      lease.terms().size() > kMaxTermsBytes) {
    return absl::UnauthenticatedError(
        absl::StrCat("the metadata `", kLeaseMetadata, "` is not a lease"));
  }
  if (!key->Verify(SignaturePurpose::kLease, lease.terms(), lease.signature())
           .ok()) {
    return absl::UnauthenticatedError(
        "the lease is not signed by the tracker of this device");
  }
  LeaseTerms terms;
  if (!terms.ParseFromString(lease.terms()) || terms.token() < 0 ||
      terms.renewals() < 0 || !(terms.seconds() > 0) ||
      terms.user().size() > kMaxUserBytes) {
    return absl::UnauthenticatedError("the terms of the lease are not valid");
  }
  if (terms.device() != device_) {
    return absl::UnauthenticatedError(absl::StrCat(
        "the lease is for the device `", absl::CHexEscape(terms.device()),
        "`, and this is `", device_, "`"));
  }
  bool changed = false;
  absl::Status state;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (key != key_) {
      return absl::UnavailableError("the device has changed its tracker");
    }
    const bool is_next = terms.token() > current_.token;
    const bool is_renewal =
        terms.token() == current_.token && terms.renewals() > current_.renewals;
    if (terms.token() > ended_ && (is_next || is_renewal)) {
      const double seconds = std::min(terms.seconds(), kMaxSeconds);
      current_ = {terms.token(), terms.renewals(),
                  clock_->NowNanos() + std::llround(seconds * 1e9)};
      changed = true;
    }
    state = StateOf(terms.token());
  }
  if (changed) Notify();
  ASSAY_RETURN_IF_ERROR(state);
  return LeaseHolder{terms.token(), terms.user()};
}

absl::Status LeaseGuard::CheckToken(int64_t token) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return StateOf(token);
}

int64_t LeaseGuard::NextExpiryNanos() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return StateOf(current_.token).ok() ? current_.expires_nanos
                                      : std::numeric_limits<int64_t>::max();
}

void LeaseGuard::SetListener(std::function<void()> changed) {
  const std::lock_guard<std::mutex> lock(listener_mutex_);
  listener_ = std::move(changed);
}

absl::Status LeaseGuard::StateOf(int64_t token) {
  const std::string lease =
      absl::StrCat("the lease ", token, " of `", device_, "`");
  if (token < current_.token) {
    return absl::AbortedError(
        absl::StrCat(lease, " was replaced by the lease ", current_.token));
  }
  if (token <= ended_) {
    return absl::AbortedError(absl::StrCat(lease, " has ended"));
  }
  if (token > current_.token) {
    return absl::AbortedError(absl::StrCat(lease, " is not known"));
  }
  if (clock_->NowNanos() >= current_.expires_nanos) {
    return absl::AbortedError(absl::StrCat(
        lease, " has expired, because no call had a newer renewal"));
  }
  return absl::OkStatus();
}

void LeaseGuard::Notify() {
  const std::lock_guard<std::mutex> lock(listener_mutex_);
  if (listener_) listener_();
}

}  // namespace assay::rpc
