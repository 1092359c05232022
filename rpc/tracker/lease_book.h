// LeaseBook: the devices, the queue and the leases of a farm.
//
// The class contains the rules of the tracker (rpc/docs/farm.md) and nothing
// else: no threads, no network, no files and no clock. Each method takes the
// time.
//
//   LeaseBook book(options);
//   ASSAY_RETURN_IF_ERROR(book.AddDevice("rack1-03", "rpi3b", now));
//   ASSAY_RETURN_IF_ERROR(
//       book.Enqueue({"ticket-81", "ann", "rpi3b"}, deadline, now));
//   for (const Event& event : book.Advance(now)) {
//     …  // store, confirm tokens, and then answer (events.h)
//   }
//
// The other methods change the book, but only Advance() grants leases, and it
// reports all changes since its last call. It must be called after changes, and
// at NextEventNanos(). The service may make several changes before one call, in
// order to store their events in one transaction. Advance() takes time
// proportional to the number of devices, and for each granted lease to the
// number of waiting users.
//
// Leases. A lease that is not renewed ends for its holder at
// Lease::expires_nanos: from then on it cannot be renewed. The device is lent
// again after a margin, because the device counts the duration from the time at
// which it sees the lease. A lease that is released, or broken because its
// device is lost or quarantined, ends at once; the token protects the next
// holder from the last one.
//
// Tokens. One series of tokens serves all devices, so that one reservation is
// enough. Granting takes tokens from the reserved ones and never waits for the
// store: if at most half of a batch is left, each Advance() reports
// TokensWanted until ConfirmTokens(). If all are used, requests wait. After a
// restart, all tokens that were reserved count as used, so that no token
// repeats even if the store has lost the last leases. A new book has no tokens.
//
// Times must not decrease; an earlier time counts as the latest one. Errors
// name the device, user, ticket, key or lease. Not thread-safe.
#ifndef ASSAY_RPC_TRACKER_LEASE_BOOK_H_
#define ASSAY_RPC_TRACKER_LEASE_BOOK_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/tracker/book_snapshot.h"
#include "rpc/tracker/book_state.h"
#include "rpc/tracker/device_list.h"
#include "rpc/tracker/ended_leases.h"
#include "rpc/tracker/events.h"
#include "rpc/tracker/lease_options.h"
#include "rpc/tracker/records.h"
#include "rpc/tracker/request_queue.h"
#include "rpc/tracker/usage_window.h"
#include "rpc/tracker/wait_estimate.h"

namespace assay::rpc::tracker {

class LeaseBook {
 public:
  explicit LeaseBook(const LeaseOptions& options)
      : options_(options), wait_(options.lease_nanos) {}
  LeaseBook(LeaseBook&&) = default;
  LeaseBook& operator=(LeaseBook&&) = default;

  // Continues after a restart. The leases have their full duration again, even
  // if their devices, which are all lost, do not come back, and their numbers
  // of renewals are larger than before. It counts from the first restart since
  // the last renewal, so that leases of dead clients end even if the tracker is
  // restarted again and again. The requests are detached. Returns
  // InvalidArgument as ValidateState() does.
  static absl::StatusOr<LeaseBook> Restore(const LeaseOptions& options,
                                           const BookState& state, int64_t now);

  // Registers a device. A device that registers again keeps its lease, unless
  // the lease was broken or the key has changed. Returns InvalidArgument if
  // `id` or `key` is empty, and ResourceExhausted if there are too many.
  absl::Status AddDevice(const std::string& id, const std::string& key,
                         int64_t now);
  // Records that the device is alive; it is no longer lost. `health` is text
  // for Snapshot(). Returns NotFound for an unknown device, and
  // FailedPrecondition if it has not registered since the restart.
  absl::Status Heartbeat(const std::string& id, const std::string& health,
                         int64_t now);
  // Puts a device into quarantine, or takes it out if `reason` is empty. Its
  // lease is broken, because its measurements cannot be trusted. Returns
  // NotFound for an unknown device.
  absl::Status SetQuarantine(const std::string& id, const std::string& reason,
                             int64_t now);
  // Loses a device that says that it leaves, without waiting for missing
  // heartbeats. Returns NotFound for an unknown device.
  absl::Status LoseDevice(const std::string& id, int64_t now);
  // Removes a device for good. Returns NotFound for an unknown device, and
  // FailedPrecondition if it is not lost or has a lease.
  absl::Status RemoveDevice(const std::string& id, int64_t now);

  // Adds a request; Request::order is ignored. If the ticket is waiting, it is
  // attached again, keeps its place and has the new deadline. If it has a
  // current lease, the lease is renewed and reported again. Errors:
  //   - InvalidArgument: a name is empty, or the ticket was used with another
  //     key or priority.
  //   - PermissionDenied: another user has used the ticket.
  //   - NotFound: no device has ever had the key. The message lists all keys.
  //   - ResourceExhausted: too many requests of this user, or of all users.
  //   - Unavailable: as in Renew().
  absl::Status Enqueue(Request request, int64_t deadline_nanos, int64_t now);
  // Ends a request that its user has given up. If it has been granted, the
  // lease is released, because the client may not know of it. Has no effect for
  // unknown tickets. Returns PermissionDenied if the ticket belongs to another
  // user.
  absl::Status Cancel(const std::string& user, const std::string& ticket,
                      int64_t now);
  // Detaches a request whose client has lost the connection. The client can ask
  // again (Enqueue()) within `detached_nanos`. Must not be called if the client
  // has already asked again. Has no effect for tickets that are not waiting.
  void Detach(const std::string& ticket, int64_t now);

  // Renews a lease: it then ends after its full duration. Returns the renewed
  // lease. Errors:
  //   - Aborted: the lease has ended; the message says why, if it is known.
  //   - PermissionDenied: the lease belongs to another user.
  //   - Unavailable: the device has not registered since the restart. The
  //     client may repeat the call until the lease ends.
  absl::StatusOr<Lease> Renew(const std::string& user, int64_t token,
                              int64_t now);
  // Ends a lease. Has no effect if the lease has ended, so that the call can be
  // repeated. Returns PermissionDenied if it belongs to another user.
  absl::Status Release(const std::string& user, int64_t token, int64_t now);

  // Returns a token such that all leases of the device with lower tokens have
  // ended, and no later lease has a lower one.
  int64_t LeastToken(const std::string& id) const;

  // Allows the use of the tokens up to `until`, after they were reserved.
  void ConfirmTokens(int64_t until);

  // Ends leases and requests whose time has come, loses devices, and lends the
  // free devices to the requests that are next (request_queue.h). Returns all
  // events since the last call in the order in which they happened.
  std::vector<Event> Advance(int64_t now);
  // Returns the time at which Advance() must be called at the latest, if
  // nothing changes after its last call, or the largest int64_t.
  int64_t NextEventNanos() const;

  // Returns what is shown to users.
  BookSnapshot Snapshot(int64_t now);
  // Returns what must survive a restart: the state that the events describe,
  // and the use of current leases until now.
  BookState State(int64_t now);

 private:
  void SetTime(int64_t now);
  absl::StatusOr<Device*> FindDevice(const std::string& id);
  // Returns the current lease of the ticket, or null.
  const Lease* LeaseOfTicket(const std::string& ticket) const;
  // Adds DeviceChanged for the device.
  void ReportDevice(const Device& device);
  void Lose(Device& device);
  void GrantTo(Device& device, RequestQueue::Entry& entry);
  void StartLease(Device& device, Lease lease);
  void EndLease(Device& device, LeaseEnd reason);
  void LendDevices();
  void ReportPlaces();

  LeaseOptions options_;
  int64_t now_ = 0;
  DeviceList devices_;
  RequestQueue queue_;
  UsageWindow usage_;
  std::vector<Event> events_;  // since the last Advance()
  // The devices of the current leases, by token.
  std::unordered_map<int64_t, Device*> leased_;
  // The tokens of the current leases, by ticket.
  std::unordered_map<std::string, int64_t> tickets_;
  EndedLeases ended_;
  WaitEstimate wait_;
  int64_t last_token_ = 0;
  int64_t reserved_tokens_ = 0;
  int64_t next_report_nanos_ = 0;
};

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_LEASE_BOOK_H_
