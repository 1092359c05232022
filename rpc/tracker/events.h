// Event: what has happened in the tracker, as LeaseBook::Advance() reports it.
//
// The service handles the events of one call in three steps, in this order:
//   1. It stores them, in order and in one transaction. The comments below say
//      how each event changes the stored state (book_state.h).
//   2. It confirms tokens (LeaseBook::ConfirmTokens()) after TokensWanted.
//   3. It answers the clients and the devices. What a client was told is
//      therefore stored, and survives a crash of the tracker.
#ifndef ASSAY_RPC_TRACKER_EVENTS_H_
#define ASSAY_RPC_TRACKER_EVENTS_H_

#include <cstdint>
#include <string>
#include <variant>

#include "rpc/tracker/records.h"

namespace assay::rpc::tracker {

// A request waits. Stored: adds the request.
struct RequestQueued {
  Request request = {};
};

enum class RequestEnd {
  kCancelled,  // by the client
  kTimedOut,   // the deadline has passed, or a detached client did not return
};

// A request ended without a lease. Stored: removes the request.
struct RequestEnded {
  Request request = {};
  RequestEnd reason = RequestEnd::kCancelled;
};

// The place of a request has changed, or the expected wait has changed by at
// least a second. Not stored.
struct RequestMoved {
  Request request = {};
  // Position among the attached requests for the key; 1 is next.
  int64_t place = 0;
  // An estimate (wait_estimate.h); -1 if no device of the key is usable.
  int64_t expected_wait_nanos = 0;
};

// A request was granted. If the client asks again with the ticket of a current
// lease, the lease is reported again. Stored: removes the request, if it is
// there, and adds or replaces the lease.
struct LeaseGranted {
  Lease lease = {};
};

// A lease continues after a restart, or was renewed for the first time since
// then. Stored: sets `restart_nanos` of the lease.
struct LeaseContinues {
  Lease lease = {};
};

enum class LeaseEnd {
  kReleased,     // by the client
  kExpired,      // it was not renewed
  kDeviceLost,   // no heartbeat, or the device left
  kQuarantined,  // the device was put into quarantine
};

// Stored: removes the lease.
struct LeaseEnded {
  Lease lease = {};
  LeaseEnd reason = LeaseEnd::kReleased;
};

// A device was added, lost or found again, or its key or its quarantine has
// changed. Stored: adds or replaces the device.
struct DeviceChanged {
  DeviceRecord record = {};
  DeviceState state = DeviceState::kLost;
};

// An administrator removed a lost device. Stored: removes the device.
struct DeviceRemoved {
  std::string device = {};
};

// Stored: adds the record, or replaces the record of this user and minute. The
// store may drop records that are UsageWindow::kMinutes older than the newest.
struct UsageChanged {
  UsageRecord record = {};
};

// Tokens up to `until` are to be reserved. Stored: raises the number of
// reserved tokens to `until`, in a way that also survives a loss of power.
struct TokensWanted {
  int64_t until = 0;
};

using Event =
    std::variant<RequestQueued, RequestEnded, RequestMoved, LeaseGranted,
                 LeaseContinues, LeaseEnded, DeviceChanged, DeviceRemoved,
                 UsageChanged, TokensWanted>;

// Describes the event in one line, for logs and tests:
//   request `t1` of `ann` for `rpi3b` is queued
//   request `t1` of `ann` for `rpi3b` has place 2, expected wait 15 s
//   lease 7 of `rack1-03` granted to `ann` for `t1`
//   lease 7 of `rack1-03` ended: the device was lost
//   device `rack1-03` (rpi3b) is lost
std::string EventText(const Event& event);

// Returns why a lease ended: `it was released`, `it expired`, `the device was
// lost` or `the device was quarantined`.
std::string LeaseEndText(LeaseEnd reason);

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_EVENTS_H_
