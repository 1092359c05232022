// MakeListAnswer: the answer of Tracker.List.
//
// A message has a limited size, and a large farm can have more to say. The
// devices come first, then the requests, then the facts of the devices; what
// does not fit is left out and counted (tracker.proto).
#ifndef ASSAY_RPC_TRACKER_SERVICE_LIST_ANSWER_H_
#define ASSAY_RPC_TRACKER_SERVICE_LIST_ANSWER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "rpc/proto/tracker.pb.h"
#include "rpc/tracker/book_snapshot.h"

namespace assay::rpc {

constexpr size_t kMaxListBytes = 1536 << 10;

// What is not in the book.
struct ListDetails {
  // Returns the last heartbeat and the facts of a device, or null.
  std::function<const Heartbeat*(const std::string& device)> heartbeat;
  std::function<const DeviceFacts*(const std::string& device)> facts;
  // Returns when the request with this ticket was made.
  std::function<int64_t(const std::string& ticket)> asked_nanos;
};

ListAnswer MakeListAnswer(const tracker::BookSnapshot& snapshot,
                          const ListDetails& details, int64_t now,
                          size_t max_bytes = kMaxListBytes);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_LIST_ANSWER_H_
