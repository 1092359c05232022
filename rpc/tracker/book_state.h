// BookState: the state of the tracker that survives a restart.
//
// The store of the tracker keeps it up to date by means of the events of
// LeaseBook::Advance() (events.h says how), and LeaseBook::Restore() continues
// from it.
#ifndef ASSAY_RPC_TRACKER_BOOK_STATE_H_
#define ASSAY_RPC_TRACKER_BOOK_STATE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "rpc/tracker/records.h"

namespace assay::rpc::tracker {

struct BookState {
  std::vector<DeviceRecord> devices = {};
  // The current leases. Of their times and numbers, `restart_nanos` is used.
  std::vector<Lease> leases = {};
  // The requests that wait.
  std::vector<Request> requests = {};
  std::vector<UsageRecord> usage = {};
  // The tokens from 1 to this one may have been used.
  int64_t reserved_tokens = 0;
};

// Checks a state that was read from a file. Returns InvalidArgument, which
// names the device, lease or request, if
//   - a name is empty, or a number is negative or too large,
//   - two devices have the same id, two leases the same token or device, or two
//     requests the same ticket or order number,
//   - a lease has no device, or a token that is not reserved.
absl::Status ValidateState(const BookState& state);

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_BOOK_STATE_H_
