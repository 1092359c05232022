// LeaseOptions: durations and limits of the tracker (lease_book.h).
#ifndef ASSAY_RPC_TRACKER_LEASE_OPTIONS_H_
#define ASSAY_RPC_TRACKER_LEASE_OPTIONS_H_

#include <cstdint>

namespace assay::rpc::tracker {

struct LeaseOptions {
  // Duration of a lease that is not renewed. Together with `lost_nanos`, it
  // bounds the time until a client learns that its device is dead.
  int64_t lease_nanos = 10'000'000'000;
  // Time from the end of an expired lease until the device is lent again.
  int64_t margin_nanos = 2'000'000'000;
  // A device is lost if it has sent no heartbeat for this time.
  int64_t lost_nanos = 5'000'000'000;
  // A detached request keeps its place for this time.
  int64_t detached_nanos = 30'000'000'000;
  // Places and expected waits are computed at most this often, because every
  // lease changes those of many requests.
  int64_t report_nanos = 250'000'000;
  // Maximum numbers of requests that wait, and of devices.
  int64_t max_requests = 10'000;
  int64_t max_requests_per_user = 1'000;
  int64_t max_devices = 10'000;
  // Number of tokens that are reserved at a time.
  int64_t token_batch = 1'000'000;
};

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_LEASE_OPTIONS_H_
