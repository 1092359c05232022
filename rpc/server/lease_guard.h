// LeaseGuard: decides which lease may use the device (rpc/docs/farm.md).
//
// Each call of a client presents its lease, as the tracker signed it. The guard
// admits it if all of this is true:
//   - The tracker has signed it, for this device.
//   - Its token is the highest that the guard has seen, and not less than the
//     least token that the tracker named. A higher token replaces the lease.
//   - The tracker has not reported its end.
//   - It has not expired. The duration of a lease counts from the moment at
//     which the guard first saw it with this number of renewals. Repeating an
//     old renewal does not prolong it, and a wall clock that jumps changes
//     nothing. A newer renewal makes an expired lease valid again, as long as
//     nothing else has ended it.
//
//   LeaseGuard guard("rack1-03");
//   guard.SetKey(welcome.lease_key(), welcome.least_token());   // registration
//   guard.Ended(name.token());
//
//   ASSAY_ASSIGN_OR_RETURN(const LeaseHolder holder, guard.Check(bytes));
//
// Whoever works for a holder must stop when the lease ends. It calls
// CheckToken() when the function given to SetListener() was called, and at
// NextExpiryNanos().
//
// The client renews its lease at the tracker, and the guard learns of it from
// the next call. During a long call, the client must present the renewed lease
// with another one, for example FindBlobs without digests.
//
// What Check() receives is hostile until its signature was verified: sizes are
// limited, and nothing is parsed before except the two fields of `Lease`.
// Thread-safe.
#ifndef ASSAY_RPC_SERVER_LEASE_GUARD_H_
#define ASSAY_RPC_SERVER_LEASE_GUARD_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "rpc/security/signature.h"
#include "runtime/base/clock.h"

namespace assay::rpc {

constexpr size_t kMaxLeaseBytes = 16 << 10;

struct LeaseHolder {
  int64_t token = 0;
  std::string user = {};
};

class LeaseGuard {
 public:
  explicit LeaseGuard(std::string device, Clock* clock = Clock::Monotonic());
  LeaseGuard(const LeaseGuard&) = delete;
  LeaseGuard& operator=(const LeaseGuard&) = delete;

  // To be called whenever the tracker has welcomed the device. All leases with
  // tokens below `least_token` have ended. Tokens that have ended stay so,
  // unless the key is another one than before: another tracker counts its
  // tokens anew, and no lease of the earlier one is valid any more. Returns
  // InvalidArgument, and changes nothing, if the text is not one public key.
  absl::Status SetKey(const std::string& lease_key_pem, int64_t least_token);

  // The tracker has reported the end of the lease with this token. The earlier
  // leases of the device have lower tokens and have ended, too.
  void Ended(int64_t token);

  // Returns the holder of the lease, whose bytes are those of a Lease.
  //   UNAVAILABLE      there was no SetKey() yet
  //   UNAUTHENTICATED  the tracker has not signed it for this device
  //   ABORTED          it has ended, or another lease has a higher token
  absl::StatusOr<LeaseHolder> Check(absl::string_view lease);

  // Returns ABORTED, with the reason, if a lease that Check() has admitted is
  // not valid any more.
  absl::Status CheckToken(int64_t token);

  // Returns when the lease with the highest token expires unless it is renewed
  // or ends before, in nanoseconds of the clock. Returns the largest number if
  // no lease is valid.
  int64_t NextExpiryNanos();

  // `changed` is called after a lease was replaced, ended or prolonged, by the
  // thread that caused it, without the locks of other methods. It must return
  // quickly, and must not call SetKey(), Ended(), Check() or SetListener().
  // After SetListener(nullptr), no call is running.
  void SetListener(std::function<void()> changed);

 private:
  struct Current {
    int64_t token = -1;  // smaller than that of any lease
    int64_t renewals = -1;
    int64_t expires_nanos = std::numeric_limits<int64_t>::min();
  };

  // Requires the mutex. Returns the answer of CheckToken().
  absl::Status StateOf(int64_t token);
  // Requires the mutex not to be held.
  void Notify();

  const std::string device_;
  Clock* const clock_;

  std::mutex mutex_;
  std::string key_pem_;
  std::shared_ptr<const TrustedKeys> key_;  // null before SetKey()
  int64_t ended_ = -1;  // all leases with tokens up to this one have ended
  Current current_;     // the lease with the highest token

  std::mutex listener_mutex_;
  std::function<void()> listener_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_LEASE_GUARD_H_
