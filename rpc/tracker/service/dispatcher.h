// Dispatcher: carries out the calls of tracker.proto on the LeaseBook, and
// tells the open streams what happens in it.
//
// The book has the rules. The dispatcher adds what is not a rule and need not
// survive a restart: the streams, and what devices say about themselves.
//
// Each call is a command of TrackerLoop. Its result may be sent only when the
// loop has stored the events of the round; Handle() is then told of them.
//
//   loop.Post([=](tracker::LeaseBook& book, int64_t now) {
//     const absl::Status status =
//         dispatcher->Acquire(book, request, user, stream, now);
//     return [=] { if (!status.ok()) stream->Close(status); };
//   });
//
// Health. While the heartbeats of a device report a problem, the device is in
// quarantine for the reason `health: PROBLEM`. When the problem is gone, this
// quarantine ends. One that an administrator has ordered has precedence, and
// ends only when an administrator says so.
//
// Used by the thread of the loop only.
#ifndef ASSAY_RPC_TRACKER_SERVICE_DISPATCHER_H_
#define ASSAY_RPC_TRACKER_SERVICE_DISPATCHER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/program/event_log.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/security/signature.h"
#include "rpc/tracker/book_state.h"
#include "rpc/tracker/events.h"
#include "rpc/tracker/lease_book.h"
#include "rpc/tracker/records.h"

namespace assay::rpc {

// The stream of a device. No method waits.
class DeviceStream {
 public:
  virtual ~DeviceStream() = default;
  // A message replaces an earlier one of its kind that was not sent yet.
  virtual void Send(const ToDevice& message) = 0;
  virtual void Close(const absl::Status& status) = 0;
};

// The stream of a client that waits for a lease. No method waits.
class WaitingStream {
 public:
  virtual ~WaitingStream() = default;
  virtual void SendPlace(const Place& place) = 0;
  // Ends the stream with the lease. Returns false if it has ended already, or
  // if the client may not have a lease any more, so that nobody learns of it.
  virtual bool SendLease(const Lease& lease, int64_t token) = 0;
  virtual void Close(const absl::Status& status) = 0;
};

class Dispatcher {
 public:
  // `lease_key` is the public key of `key` in PEM, `lease_nanos` the duration
  // of leases, and `state` the one from which the book was restored. The log
  // must outlive this object.
  Dispatcher(SigningKey key, std::string lease_key, int64_t lease_nanos,
             const tracker::BookState& state, int64_t now, EventLog* log);
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  // Registers a device, and closes an earlier stream with its name. The message
  // was checked (message_checks.h). Returns the errors of
  // LeaseBook::AddDevice().
  absl::StatusOr<Welcome> Register(tracker::LeaseBook& book, const Hello& hello,
                                   std::shared_ptr<DeviceStream> stream,
                                   int64_t now);
  // Without effect if the device has another stream by now.
  absl::Status Beat(tracker::LeaseBook& book, const std::string& device,
                    const Heartbeat& heartbeat, const DeviceStream* stream,
                    int64_t now);
  // The stream has ended. If the device has ended it itself, the device is lost
  // at once, else if it does not come back.
  void Disconnect(tracker::LeaseBook& book, const std::string& device,
                  const DeviceStream* stream, bool leaves, int64_t now);

  // Adds a request to the queue, and closes an earlier stream with its ticket.
  // Returns the errors of LeaseBook::Enqueue().
  absl::Status Acquire(tracker::LeaseBook& book, const AcquireRequest& request,
                       const std::string& user,
                       std::shared_ptr<WaitingStream> stream, int64_t now);
  // The stream has ended without a lease, and nobody waits for one.
  void Leave(tracker::LeaseBook& book, const std::string& ticket,
             const WaitingStream* stream, int64_t now);

  // Returns the errors of LeaseBook::Renew().
  absl::StatusOr<Lease> Renew(tracker::LeaseBook& book, const std::string& user,
                              int64_t token, int64_t now);

  // Returns NotFound if there is no such device.
  absl::Status Quarantine(tracker::LeaseBook& book,
                          const QuarantineRequest& request, int64_t now);

  // Calls of one round share the answer.
  std::shared_ptr<const ListAnswer> List(tracker::LeaseBook& book, int64_t now);

  // Tells the streams what has happened. Returns true if the book was changed,
  // because a lease could not be sent and was released.
  bool Handle(const std::vector<tracker::Event>& events,
              tracker::LeaseBook& book, int64_t now);

  // Closes all streams.
  void CloseAll(const absl::Status& status);

 private:
  struct Device {
    std::shared_ptr<DeviceStream> stream = nullptr;
    std::string address = {};
    DeviceFacts facts = {};
    Heartbeat last = {};
    std::string quarantine = {};
  };

  absl::Status SetQuarantine(tracker::LeaseBook& book,
                             const std::string& device,
                             const std::string& reason, int64_t now);
  absl::StatusOr<Lease> Sign(const tracker::Lease& lease) const;
  WaitingStream* FindWaiting(const std::string& ticket);
  // Called by Handle(). Return true if they have changed the book.
  bool HandleOne(const tracker::LeaseGranted& event, tracker::LeaseBook& book,
                 int64_t now);
  void HandleOne(const tracker::LeaseEnded& event);
  void HandleOne(const tracker::RequestMoved& event);
  void HandleOne(const tracker::RequestEnded& event);
  void HandleOne(const tracker::DeviceChanged& event);

  const SigningKey key_;
  const std::string lease_key_;
  const int64_t lease_nanos_;
  EventLog* const log_;
  std::map<std::string, Device> devices_;
  // By ticket: the streams that wait, and when requests were made.
  std::unordered_map<std::string, std::shared_ptr<WaitingStream>> waiting_;
  std::unordered_map<std::string, int64_t> asked_nanos_;
  std::shared_ptr<const ListAnswer> list_;
  int64_t list_nanos_ = -1;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_DISPATCHER_H_
