// Switchboard: joins the calls of clients with the streams on which agents wait
// for calls. It knows the sessions of agents, and ends what belongs to them.
//
//   Switchboard board(limits, &log);
//   board.Attaching("rack1-03", number, stream);              // Attach
//   auto session = *board.BeginSession("rack1-03", key, stream);
//   board.AddCarry("rack1-03", session.secret, number, stream);  // Carry
//   board.AddCall(call, number);                              // of a client
//
// Every stream has a number of its own (NewNumber()). AttachGone(), CarryGone()
// or CallGone() must be called when a stream has come to its end; until then it
// counts. A stream whose function returns an error must be ended with it.
//
// Who calls must have been verified, except for the leases of clients.
// Thread-safe. No lock is held while a stream is used.
#ifndef ASSAY_RPC_PROXY_SWITCHBOARD_H_
#define ASSAY_RPC_PROXY_SWITCHBOARD_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/program/event_log.h"
#include "rpc/proxy/call/relay.h"
#include "rpc/proxy/call/stream.h"
#include "rpc/proxy/device_table.h"
#include "rpc/server/lease_guard.h"

namespace assay::rpc {

class Switchboard {
 public:
  struct SessionName {
    int64_t number = 0;
    // What the agent must present with its streams.
    std::string secret = {};
  };
  // The call of a client.
  struct Call {
    std::string method = {};
    std::string device = {};
    std::string lease = {};
    std::chrono::system_clock::time_point deadline = {};
    std::shared_ptr<AnswerStream> stream = {};
  };

  // `log` must outlive this object.
  Switchboard(const ProxyLimits& limits, EventLog* log);
  Switchboard(const Switchboard&) = delete;
  Switchboard& operator=(const Switchboard&) = delete;
  ~Switchboard();  // all streams must be gone

  // Returns a positive number, always another one.
  int64_t NewNumber();

  // A stream of Attach was opened, and its request is still to come. An earlier
  // one of the device without a request is ended.
  absl::Status Attaching(const std::string& device, int64_t number,
                         const std::shared_ptr<AnswerStream>& stream);
  // The request has come. An earlier session of the device is ended. Returns
  // InvalidArgument if the key is not valid, ResourceExhausted if there are too
  // many devices, and Aborted if the device has opened another stream.
  absl::StatusOr<SessionName> BeginSession(
      const std::string& device, const std::string& lease_key,
      const std::shared_ptr<AnswerStream>& stream);
  // Ends a session and all its streams with this status, and its calls with
  // Unavailable. Does nothing if it has ended.
  void EndSession(int64_t number, const absl::Status& status);
  void AttachGone(const std::string& device, int64_t number);

  // A stream of Carry was opened. Returns NotFound if the device has no such
  // session, and ResourceExhausted if it has too many streams.
  absl::Status AddCarry(const std::string& device, const std::string& secret,
                        int64_t number,
                        const std::shared_ptr<AnswerStream>& stream);
  void CarryGone(int64_t number);

  // Begins the call, or lets it wait for a short time. Returns Unavailable if
  // the device is not attached, ResourceExhausted if there are too many calls,
  // and the errors of LeaseGuard::Check().
  absl::Status AddCall(Call call, int64_t number);
  void CallGone(int64_t number);

  // Refuses what is new, and waits at most `grace_nanos` until there are no
  // calls. Then ends all streams, those of agents with Unavailable.
  void Stop(int64_t grace_nanos);

  // Returns the numbers of attached devices, streams of Carry, and calls.
  int devices() const;
  int streams() const;
  int calls() const;

 private:
  struct Session {
    Session(const std::string& device, std::shared_ptr<AnswerStream> stream)
        : guard(device), device(device), stream(std::move(stream)) {}
    LeaseGuard guard;
    const std::string device;
    const std::shared_ptr<AnswerStream> stream;  // of Attach
    std::string secret = {};
  };
  struct Attachment {
    int64_t number = 0;
    std::shared_ptr<AnswerStream> stream = {};
  };
  // What a session has left.
  struct Leftovers {
    std::vector<std::shared_ptr<Relay>> relays = {};
    std::vector<std::shared_ptr<AnswerStream>> calls = {};
    std::shared_ptr<AnswerStream> attached = {};
  };

  // Requires the mutex.
  Leftovers TakeLeftovers(int64_t session, const DeviceTable::Remains& remains);
  // Requires the mutex. Returns a call without a stream if there is none.
  Call TakeWaiting(int64_t number);
  // Requires the mutex not to be held.
  static void End(const Leftovers& leftovers, const absl::Status& status);
  // Ends what waits or is idle for too long, until Stop().
  void Watch();

  const ProxyLimits limits_;
  EventLog* const log_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;  // `stopped_`, or the number of calls
  bool stopping_ = false;
  bool stopped_ = false;
  int64_t last_number_ = 0;
  DeviceTable table_;
  std::map<int64_t, std::shared_ptr<Session>> sessions_;
  std::map<std::string, int64_t> sessions_by_secret_;
  // Streams of Attach without a request: at most one for each device.
  std::map<std::string, Attachment> attaching_;
  std::map<int64_t, std::shared_ptr<Relay>> relays_;  // by stream of Carry
  std::map<int64_t, Call> waiting_calls_;
  // All relays that may have something in flight.
  std::vector<std::weak_ptr<Relay>> watched_;
  std::thread watcher_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_SWITCHBOARD_H_
