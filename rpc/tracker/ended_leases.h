// EndedLeases: remembers how the latest leases ended, so that a client that
// renews a lease too late is told why it has lost the device.
//
//   EndedLeases ended;
//   ended.Add(7, "rack1-03", LeaseEnd::kDeviceLost);
//   ended.Error(7);
//   // Aborted: the lease 7 of `rack1-03` has ended: the device was lost
//   ended.Error(8);
//   // Aborted: the lease 8 has ended
#ifndef ASSAY_RPC_TRACKER_ENDED_LEASES_H_
#define ASSAY_RPC_TRACKER_ENDED_LEASES_H_

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

#include "absl/status/status.h"
#include "rpc/tracker/events.h"

namespace assay::rpc::tracker {

// Returns Aborted with the message for a lease that has ended.
absl::Status LeaseEndedError(int64_t token, const std::string& device,
                             LeaseEnd reason);

class EndedLeases {
 public:
  static constexpr int64_t kMaxLeases = 10'000;

  // Remembers a lease, and forgets the first one if there are too many. A token
  // must not be added twice.
  void Add(int64_t token, const std::string& device, LeaseEnd reason);

  // Returns Aborted. The message says how the lease ended, if it is known.
  absl::Status Error(int64_t token) const;

 private:
  struct Ended {
    std::string device = {};
    LeaseEnd reason = LeaseEnd::kReleased;
  };

  std::unordered_map<int64_t, Ended> by_token_;
  std::deque<int64_t> tokens_;  // in the order in which they were added
};

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_ENDED_LEASES_H_
