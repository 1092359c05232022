// FakeTracker: a tracker for tests of clients. It listens on a free port of
// 127.0.0.1 and answers as its script says.
//
//   FakeTracker tracker;
//   const ClientOptions options = tracker.Options();
//   tracker.Change([](FakeTracker::Script* script) { script->places = …; });
#ifndef ASSAY_RPC_CLIENT_TESTING_FAKE_TRACKER_H_
#define ASSAY_RPC_CLIENT_TESTING_FAKE_TRACKER_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "rpc/program/listener.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/transport/client_options.h"

namespace assay::rpc {

class FakeTracker final : private Tracker::Service {
 public:
  // What the tracker does and has done. Tests use Change() and Read().
  struct Script {
    std::string key = "rpi3b";
    std::string device = "rack1-03";
    std::string address = "127.0.0.1:1";
    std::string fingerprint = "aarch64-fake-4c-00000000";
    bool emulated = false;
    double lease_seconds = 30;
    // What each call of Acquire sends before its end.
    std::vector<Place> places = {};
    // How the next calls of Acquire end instead of granting a lease.
    std::deque<absl::Status> acquire = {};
    // If true, a call of Acquire ends only when it is cancelled.
    bool never_free = false;
    // Leases with tokens up to this one have ended.
    int64_t ended_token = 0;
    std::string ended_reason = "the device is lost";
    // If not OK, the answer of Renew.
    absl::Status renew = {};

    int64_t tokens = 0;  // the number of granted leases
    std::vector<std::string> tickets = {};
    std::vector<double> waits = {};
    std::set<std::string> withdrawn = {};
    int renewals = 0;
    std::set<int64_t> released = {};
    std::string authorization = {};  // of the last call
  };

  FakeTracker() { Start("127.0.0.1:0"); }

  // Ends all connections, as a program does that is killed, and starts again
  // at the same port.
  void Stop() { listener_.reset(); }
  void Restart() { Start(address_); }

  std::string address() const { return address_; }
  ClientOptions Options() const;

  template <typename T>
  T Read(T Script::* field) const {
    const absl::MutexLock lock(&mutex_);
    return script_.*field;
  }
  void Change(const std::function<void(Script*)>& change) {
    const absl::MutexLock lock(&mutex_);
    change(&script_);
  }
  // Waits until the condition is true, for at most ten seconds. Returns its
  // value.
  bool WaitUntil(const std::function<bool(const Script&)>& condition) const;

 private:
  void Start(const std::string& address);
  Lease NewLease(int64_t token, int64_t renewals) const;

  grpc::Status Acquire(grpc::ServerContext* context,
                       const AcquireRequest* request,
                       grpc::ServerWriter<AcquireAnswer>* writer) override;
  grpc::Status Withdraw(grpc::ServerContext* context,
                        const WithdrawRequest* request,
                        WithdrawAnswer* answer) override;
  grpc::Status Renew(grpc::ServerContext* context, const LeaseName* request,
                     Lease* answer) override;
  grpc::Status Release(grpc::ServerContext* context, const LeaseName* request,
                       ReleaseAnswer* answer) override;

  mutable absl::Mutex mutex_;
  Script script_;
  std::string address_;
  std::unique_ptr<Listener> listener_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_TESTING_FAKE_TRACKER_H_
