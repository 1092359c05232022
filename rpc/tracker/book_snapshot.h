// BookSnapshot: what the tracker shows about devices, queue and leases at one
// time, for `//rpc:query`.
#ifndef ASSAY_RPC_TRACKER_BOOK_SNAPSHOT_H_
#define ASSAY_RPC_TRACKER_BOOK_SNAPSHOT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rpc/tracker/records.h"

namespace assay::rpc::tracker {

struct BookSnapshot {
  struct Key {
    std::string key = {};
    int64_t free = 0;
    int64_t leased = 0;
    int64_t pending = 0;  // requests that wait, attached or not
    int64_t total = 0;    // devices, including lost and quarantined ones
  };

  struct Device {
    std::string device = {};
    std::string key = {};
    DeviceState state = DeviceState::kLost;
    int64_t since_nanos = 0;  // time of the last change of `state`
    std::string health = {};
    std::string quarantine = {};
    // The current lease. After a restart, a device can be lost and have a
    // lease.
    std::optional<Lease> lease = {};
  };

  struct Waiting {
    Request request = {};
    // Position among the attached requests for the key, from 1; 0 if the
    // request is detached (request_queue.h).
    int64_t place = 0;
    // An estimate (wait_estimate.h); -1 if the request is detached or no device
    // of the key is usable.
    int64_t expected_wait_nanos = -1;
    int64_t deadline_nanos = 0;
  };

  std::vector<Key> keys = {};        // in alphabetical order
  std::vector<Device> devices = {};  // ordered by id
  // Ordered by key, then by place; detached requests come last.
  std::vector<Waiting> queue = {};
};

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_BOOK_SNAPSHOT_H_
