// Records of the tracker: leases, requests, devices and the use of devices.
//
// The names of devices, keys, users and tickets are opaque text; the service
// limits their length and their characters. Times are nanoseconds of the
// monotonic clock of the tracker's machine (runtime/base/clock.h). They are
// never negative and have no meaning on another machine or after a restart.
#ifndef ASSAY_RPC_TRACKER_RECORDS_H_
#define ASSAY_RPC_TRACKER_RECORDS_H_

#include <cstdint>
#include <string>

namespace assay::rpc::tracker {

// A Lease lends one device to one user.
struct Lease {
  // The fencing token. All devices share one series of tokens. A token is
  // therefore larger than the tokens of all earlier leases of the device, and
  // it identifies the lease.
  int64_t token = 0;
  std::string device = {};
  std::string key = {};
  std::string user = {};
  // The ticket of the request that was granted.
  std::string ticket = {};
  int64_t granted_nanos = 0;
  // The end of the lease, unless it is renewed before.
  int64_t expires_nanos = 0;
  // The time of the first restart of the tracker after the last renewal, or 0
  // if there was none. Stored for as long as the machine runs.
  int64_t restart_nanos = 0;
  // Grows with each renewal. It is not stored, and continues with a larger
  // number after a restart.
  int64_t renewals = 0;
};

// A Request asks for a lease of any device that has the key.
struct Request {
  // Identifies the request. The client chooses the ticket, so that it can ask
  // again after it has lost the connection.
  std::string ticket = {};
  std::string user = {};
  std::string key = {};
  // Requests with a higher priority are granted first.
  int64_t priority = 0;
  // Position in the order of asking, at least 1. RequestQueue assigns it.
  int64_t order = 0;
};

enum class DeviceState { kFree, kLeased, kLost, kQuarantined };

// The part of a device that survives a restart of the tracker.
struct DeviceRecord {
  std::string device = {};
  std::string key = {};
  // The reason for the quarantine; empty if the device is not quarantined.
  std::string quarantine = {};
};

// The time for which a user held devices in one minute (usage_window.h). Two
// devices that are held at the same time count twice.
struct UsageRecord {
  std::string user = {};
  int64_t minute = 0;
  int64_t nanos = 0;
};

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_RECORDS_H_
