// LeaseKeeper: waits for a lease of a device, and holds it.
//
//   LeaseWish wish;
//   wish.key = "rpi3b";
//   ASSAY_ASSIGN_OR_RETURN(
//       const auto keeper,
//       LeaseKeeper::Acquire(tracker.get(), wish, events, &cancellation));
//   …
//   context.AddMetadata(kLeaseMetadata, keeper->lease().bytes);
//   const Cancellation::Call call(keeper->work(), &context);
//
// A thread renews the lease when a third of its duration has passed, and
// repeats this while the tracker does not answer. The lease is lost
//   - when the tracker says that it has ended, for example because the device
//     does not answer the tracker any more;
//   - when the tracker says that the device has another address: its server was
//     started again;
//   - when the tracker has not renewed it for the whole duration. The time
//     counts from when the last successful request was sent, on the monotonic
//     clock, so this client stops before the device is lent to another one.
// All calls that were registered in work() then end with Aborted: `the lease of
// rack1-03 was lost: …`.
//
// The destructor gives the lease back, and takes at most about a second if the
// tracker does not answer. A process that dies loses its lease when it expires.
#ifndef ASSAY_RPC_CLIENT_LEASE_KEEPER_H_
#define ASSAY_RPC_CLIENT_LEASE_KEEPER_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "rpc/client/cancellation.h"
#include "rpc/client/granted_lease.h"
#include "rpc/client/retry.h"
#include "rpc/client/tracker_client.h"

namespace assay::rpc {

struct LeaseWish {
  std::string key = {};
  int priority = 0;
  // How long to wait for a device.
  double wait_seconds = 3600;
};

// How long Acquire() tries to reach a tracker that has never answered. A
// tracker that has answered is given the whole `wait_seconds`.
constexpr int64_t kFirstAnswerNanos = 30'000'000'000;

// All functions may be null. Those of a LeaseKeeper are called by its thread.
struct LeaseEvents {
  // The place in the queue, 1 for the next request, and the expected time until
  // a device is free, negative if unknown.
  std::function<void(int place, double wait_seconds)> place = nullptr;
  // The lease was renewed: lease() has changed. Must return soon.
  std::function<void()> renewed = nullptr;
  Notify notify = nullptr;
};

class LeaseKeeper {
 public:
  // Waits for a device. Repeats the request under the same ticket, and so keeps
  // its place in the queue, while the tracker is not available. `tracker` must
  // outlive the object; `cancellation` ends the waiting only. Returns
  //   - NotFound, with the list of keys, if there is no device of this key;
  //   - DeadlineExceeded if no device was free in time;
  //   - Unavailable if the tracker does not answer;
  //   - the reason of the cancellation, and other errors of the tracker.
  // After an error, the request is withdrawn, which takes at most a second.
  static absl::StatusOr<std::unique_ptr<LeaseKeeper>> Acquire(
      TrackerClient* tracker, const LeaseWish& wish, const LeaseEvents& events,
      Cancellation* cancellation);
  LeaseKeeper(const LeaseKeeper&) = delete;
  LeaseKeeper& operator=(const LeaseKeeper&) = delete;
  ~LeaseKeeper() { Release(); }

  // The lease after its last renewal. Thread-safe.
  GrantedLease lease() const;

  // Returns OK while the lease is held. Thread-safe.
  absl::Status status() const { return work_.status(); }
  // The calls at the device, which end with the lease.
  Cancellation* work() { return &work_; }

  // Asks the tracker at once whether the lease is still valid, unless it was
  // asked during the last half second. Called when the device does not answer.
  // Thread-safe.
  void RenewSoon();

  // Ends the use of the lease: all calls return Aborted, with the reason. The
  // lease is given back by Release(). Thread-safe.
  void GiveUp(absl::string_view reason);

  // Gives the lease back. All calls end with Cancelled. Later calls have no
  // effect. Thread-safe, but must not be called by LeaseEvents.
  void Release();

 private:
  LeaseKeeper(TrackerClient* tracker, LeaseEvents events, GrantedLease lease);

  void RenewUntilStopped();
  // Requires the lock, and releases it during the call.
  void RenewOnce(std::unique_lock<std::mutex>* lock);
  void Keep(GrantedLease lease, int64_t asked_nanos);

  TrackerClient* const tracker_;
  const LeaseEvents events_;
  Cancellation work_;
  // Cancels a renewal that runs when the lease is released.
  Cancellation renewals_;

  mutable std::mutex mutex_;
  // Its waits use the monotonic clock.
  std::condition_variable changed_;
  GrantedLease lease_;
  int64_t valid_until_nanos_ = 0;
  int64_t next_nanos_ = 0;  // when to renew
  int64_t last_nanos_ = 0;  // when the tracker was last asked
  int64_t wait_nanos_ = 0;  // before the next repetition
  std::string last_error_;  // of a renewal
  bool stop_ = false;
  bool ended_ = false;  // the tracker knows that the lease has ended

  std::mutex release_mutex_;  // held by Release()
  std::thread thread_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_LEASE_KEEPER_H_
