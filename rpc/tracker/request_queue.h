// RequestQueue: the requests that wait for a device, and their order.
//
// Among the requests for a key, the next one is the request with
//   1. the highest priority, then
//   2. the user with the smallest use of devices (usage_window.h), then
//   3. the smallest order number, which is the order of asking.
//
// A request is attached while its client listens, and detached after the client
// has lost the connection or the tracker was restarted. A detached request is
// not served, because nobody would use the lease. It keeps its order number, so
// a client that asks again with the same ticket gets its place back.
//
//   RequestQueue queue;
//   queue.Add({"ticket-81", "ann", "rpi3b"}, deadline, /*attached=*/true);
//   RequestQueue::Entry* next = queue.Next("rpi3b", usage, now);
//   queue.Remove(*next);
//
// Next() takes time proportional to the number of users with requests of the
// highest priority for the key; InOrder() sorts the requests for the key. All
// other methods take logarithmic time. Pointers and references to an entry are
// valid until it is removed.
#ifndef ASSAY_RPC_TRACKER_REQUEST_QUEUE_H_
#define ASSAY_RPC_TRACKER_REQUEST_QUEUE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rpc/tracker/records.h"
#include "rpc/tracker/usage_window.h"

namespace assay::rpc::tracker {

class RequestQueue {
 public:
  struct Entry {
    Request request = {};
    bool attached = true;
    // The request is removed at this time (FirstDue()).
    int64_t deadline_nanos = 0;
    // The place and the expected wait that the client was told last; the place
    // is 0 if the client was told none.
    int64_t place = 0;
    int64_t expected_wait_nanos = 0;
  };

  RequestQueue() = default;
  RequestQueue(RequestQueue&&) = default;
  RequestQueue& operator=(RequestQueue&&) = default;

  // Adds a request. If its order number is 0, the request comes after all
  // requests that were ever added. CHECK-fails if a request with this ticket or
  // this order number is in the queue.
  Entry& Add(Request request, int64_t deadline_nanos, bool attached);
  // Sets the deadline of a request and attaches it. The client is told its
  // place again.
  void Attach(Entry& entry, int64_t deadline_nanos);
  // Sets the deadline of a request and detaches it.
  void Detach(Entry& entry, int64_t deadline_nanos);
  void Remove(Entry& entry);

  // Returns the request, or null if no request with this ticket is waiting.
  Entry* Find(const std::string& ticket);

  // Returns the attached request for `key` that is served next, or null.
  Entry* Next(const std::string& key, UsageWindow& usage, int64_t now);

  // Returns the attached requests for `key` in the order in which they will
  // probably be served. Each request is taken to add `mean_lease_nanos` to the
  // use of its user, so that many requests of one user do not come before the
  // single request of another. The first element is Next().
  std::vector<Entry*> InOrder(const std::string& key, UsageWindow& usage,
                              int64_t mean_lease_nanos, int64_t now);

  // Returns a request whose deadline is `now` or earlier, or null.
  Entry* FirstDue(int64_t now);
  // Returns the earliest deadline, or the largest int64_t.
  int64_t NextDeadlineNanos() const;

  // Returns the number of requests, attached or not.
  int64_t size() const { return static_cast<int64_t>(entries_.size()); }
  int64_t SizeOfUser(const std::string& user) const;
  // Returns true if a request for the key is attached.
  bool HasAttached(const std::string& key) const;
  // Returns the keys with attached requests.
  std::vector<std::string> AttachedKeys() const;
  // Returns all requests by their order numbers.
  const std::map<int64_t, Entry>& entries() const { return entries_; }

 private:
  // The attached requests of one user with one priority for one key, by order.
  using Line = std::map<int64_t, Entry*>;
  // The lines of the users.
  using Lines = std::map<std::string, Line>;
  // The lines by priority, the highest first.
  using Priorities = std::map<int64_t, Lines, std::greater<int64_t>>;

  void AddToLine(Entry& entry);
  void RemoveFromLine(const Entry& entry);
  void SetDeadline(Entry& entry, int64_t deadline_nanos);

  int64_t last_order_ = 0;
  std::map<int64_t, Entry> entries_;
  std::unordered_map<std::string, Entry*> by_ticket_;
  std::map<std::string, int64_t> size_of_user_;
  // Attached requests by key. No map in it is empty.
  std::map<std::string, Priorities> lines_;
  // Deadline and order number of all requests.
  std::set<std::pair<int64_t, int64_t>> deadlines_;
};

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_REQUEST_QUEUE_H_
