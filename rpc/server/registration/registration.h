// Registration: keeps a device registered at the tracker (Tracker.Register in
// rpc/proto/tracker.proto).
//
//   RegistrationOptions options;
//   options.client = …;                      // ReadClientOptions(flags)
//   options.device = "rack1-03";
//   options.key = "rpi3b";
//   options.address = "rack1-03.lab:9191";   // where clients call this server
//   RegistrationHooks hooks;
//   hooks.facts = [&] { return FactsMessage(facts); };
//   hooks.state = [&] { return reader.Read(); };
//   hooks.health = [&] { return monitor.health(); };
//   hooks.on_welcome = [&](const std::string& key, int64_t least_token) {
//     return guard.SetKey(key, least_token);
//   };
//   hooks.on_ended = [&](int64_t token) { guard.Ended(token); };
//   Registration registration(options, hooks, &log);
//
// A thread of its own connects, sends what the device is, and then a heartbeat
// each second. All hooks are called in this thread, without a lock; one that
// waits delays the heartbeats, and after 5 s without one the device is lost.
//
// If the connection ends or cannot be made, it is made again after 0.1 to 2 s,
// a time that doubles and of which up to a half is left out at random, so that
// the devices of a farm do not all return at once. The files of the token and
// of TLS are read again for each connection. If the tracker refuses the device
// (a wrong token, name or key), or a file is not usable, it is tried again
// after 30 s, because an administrator may mend it; and without this wait if
// the file already has another token than the one that was refused, because the
// tracker ends the connection of a token that was replaced.
//
// The log has `registered`, and `not_registered` with the error, once for each
// change.
#ifndef ASSAY_RPC_SERVER_REGISTRATION_REGISTRATION_H_
#define ASSAY_RPC_SERVER_REGISTRATION_REGISTRATION_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "rpc/program/event_log.h"
#include "rpc/proto/facts.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/transport/client_options.h"
#include "runtime/base/random.h"

namespace assay::rpc {

struct RegistrationOptions {
  ClientOptions client = {};
  // The fields of Hello (tracker.proto).
  std::string device = {};
  std::string key = {};
  std::string address = {};

  int64_t heartbeat_nanos = 1'000'000'000;
  // The tracker must welcome the device within this time.
  int64_t welcome_nanos = 5'000'000'000;
  int64_t first_retry_nanos = 100'000'000;
  int64_t max_retry_nanos = 2'000'000'000;
  int64_t refused_retry_nanos = 30'000'000'000;
};

struct RegistrationHooks {
  std::function<DeviceFacts()> facts = {};
  std::function<DeviceState()> state = {};
  std::function<Health()> health = {};
  // The tracker has welcomed the device: `lease_key` is the public key of
  // leases, in PEM, and all leases with tokens below `least_token` have ended.
  // An error ends the connection like a refusal.
  std::function<absl::Status(const std::string& lease_key, int64_t least_token)>
      on_welcome = {};
  // The lease with this token has ended.
  std::function<void(int64_t token)> on_ended = {};
};

class Registration {
 public:
  // Starts the thread. `log` must outlive this object.
  Registration(RegistrationOptions options, RegistrationHooks hooks,
               EventLog* log);
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  ~Registration();

  // Returns true if the tracker has welcomed the device and the connection has
  // not ended.
  bool registered() const;

 private:
  class Stream;

  void RunThread();
  // Returns true if the file of the token has another one than `token_`.
  bool HasNewToken() const;
  // Connects once. Returns why the connection has ended.
  absl::Status Connect();
  // Serves a connection until it breaks or the program stops, which are no
  // errors.
  absl::Status Serve(Stream* stream);
  absl::Status Handle(const ToDevice& message);
  // Tells the tracker that the device leaves.
  void Leave(Stream* stream);
  Hello MakeHello() const;
  Heartbeat MakeHeartbeat() const;
  void LogEnd(const absl::Status& status, int64_t retry_nanos);

  const RegistrationOptions options_;
  const RegistrationHooks hooks_;
  EventLog* const log_;

  // Only for the thread.
  Rng rng_;
  std::string token_;           // of the last connection
  int64_t welcomed_nanos_ = 0;  // of this connection; 0 before the welcome
  absl::StatusCode logged_code_ = absl::StatusCode::kOk;

  mutable std::mutex mutex_;
  std::condition_variable changed_;  // of `stopping_` and of the stream
  bool stopping_ = false;
  bool registered_ = false;

  std::thread thread_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_REGISTRATION_REGISTRATION_H_
