// TrackerService: the service of tracker.proto, whose comments are the contract
// of the calls.
//
//   TrackerService::Options options;
//   options.state = "/var/lib/assay/tracker";
//   options.tokens = tokens.get();
//   options.log = &log;
//   options.fail = [](const absl::Status&) { _exit(5); };
//   ASSAY_ASSIGN_OR_RETURN(auto service, TrackerService::Create(options));
//   ASSAY_ASSIGN_OR_RETURN(auto listener, Listener::Start(…, {service.get()}));
//   …
//   service->Stop();
//   listener->Stop(grace_nanos);
//
// The state folder has two files: `state.db`, the SQLite database of
// StateStore, and `lease.key`, the private key that signs leases. A new
// database gets a new key, because its tokens begin anew, and devices would
// take them for old ones.
//
// gRPC calls the methods on its threads. They check the caller and the message,
// and post a command to TrackerLoop, whose thread answers.
#ifndef ASSAY_RPC_TRACKER_SERVICE_TRACKER_SERVICE_H_
#define ASSAY_RPC_TRACKER_SERVICE_TRACKER_SERVICE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/server_callback.h"
#include "rpc/program/connection_table.h"
#include "rpc/program/event_log.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/security/token_file.h"
#include "rpc/tracker/lease_book.h"
#include "rpc/tracker/lease_options.h"
#include "rpc/tracker/service/acquire_call.h"
#include "rpc/tracker/service/call_limits.h"
#include "rpc/tracker/service/dispatcher.h"
#include "rpc/tracker/service/register_call.h"
#include "rpc/tracker/service/tracker_loop.h"
#include "rpc/tracker/state_store.h"

namespace assay::rpc {

class TrackerService : public Tracker::CallbackService {
 public:
  struct Options {
    // The state folder, which is created if it does not exist.
    std::string state = {};
    // These must outlive the service.
    TokenFile* tokens = nullptr;
    EventLog* log = nullptr;
    // The connections of the listener; may be null.
    ConnectionTable* connections = nullptr;
    // Is called if the state cannot be stored. Calls are not answered any more,
    // so the program must end.
    std::function<void(const absl::Status&)> fail = {};
    tracker::LeaseOptions lease = {};
    // Open calls of one caller.
    int64_t max_registrations = 16;
    int64_t max_waits = 1'000;
    int64_t max_short_calls = 500;
  };

  // Returns the errors of StateStore and SigningKey, with the name of the file.
  static absl::StatusOr<std::unique_ptr<TrackerService>> Create(
      const Options& options);
  TrackerService(const TrackerService&) = delete;
  TrackerService& operator=(const TrackerService&) = delete;
  // The listener must have stopped before.
  ~TrackerService() override;

  // Ends all streams with UNAVAILABLE, and refuses new calls. Leases, and the
  // places of the requests that waited, are kept for the next start.
  void Stop();

  // Of Tracker::CallbackService.
  grpc::ServerBidiReactor<FromDevice, ToDevice>* Register(
      grpc::CallbackServerContext* context) override;
  grpc::ServerWriteReactor<AcquireAnswer>* Acquire(
      grpc::CallbackServerContext* context,
      const AcquireRequest* request) override;
  grpc::ServerUnaryReactor* Withdraw(grpc::CallbackServerContext* context,
                                     const WithdrawRequest* request,
                                     WithdrawAnswer* answer) override;
  grpc::ServerUnaryReactor* Renew(grpc::CallbackServerContext* context,
                                  const LeaseName* request,
                                  Lease* answer) override;
  grpc::ServerUnaryReactor* Release(grpc::CallbackServerContext* context,
                                    const LeaseName* request,
                                    ReleaseAnswer* answer) override;
  grpc::ServerUnaryReactor* List(grpc::CallbackServerContext* context,
                                 const ListRequest* request,
                                 ListAnswer* answer) override;
  grpc::ServerUnaryReactor* Quarantine(grpc::CallbackServerContext* context,
                                       const QuarantineRequest* request,
                                       QuarantineAnswer* answer) override;

 private:
  // Does a short call for `user`, on the thread of the loop.
  using ShortCommand = std::function<absl::Status(
      tracker::LeaseBook& book, const std::string& user, int64_t now)>;

  TrackerService(const Options& options, tracker::StateStore store);

  // Returns the caller if the call may be handled.
  absl::StatusOr<Identity> Admit(grpc::CallbackServerContext* context,
                                 std::initializer_list<Role> roles);
  absl::StatusOr<AcquireCall*> StartAcquire(
      grpc::CallbackServerContext* context, const AcquireRequest& request);
  absl::StatusOr<RegisterCall*> StartRegister(
      grpc::CallbackServerContext* context);
  // Returns the call, which is answered after the command. If `checked` is an
  // error, it is the answer.
  grpc::ServerUnaryReactor* ShortCall(grpc::CallbackServerContext* context,
                                      Role role, const absl::Status& checked,
                                      ShortCommand command);

  const Options options_;
  tracker::StateStore store_;  // used by the thread of the loop only
  CallLimits registrations_;
  CallLimits waits_;
  CallLimits short_calls_;
  std::atomic<bool> stopping_{false};
  std::unique_ptr<Dispatcher> dispatcher_;
  std::unique_ptr<TrackerLoop> loop_;  // uses the members above
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_TRACKER_SERVICE_H_
