// AcquireCall: one call of Tracker.Acquire.
//
// gRPC does not tell a client that cancels from a client that has lost its
// connection. In both cases nobody waits any more, so the request is detached:
// it is not served, and keeps its place for a while. A lease that could not be
// sent is released at once. A lease that was sent is released if the call was
// cancelled before its status was sent; otherwise, the client has it, or can
// get it again with its ticket, or it expires.
#ifndef ASSAY_RPC_TRACKER_SERVICE_ACQUIRE_CALL_H_
#define ASSAY_RPC_TRACKER_SERVICE_ACQUIRE_CALL_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "grpcpp/support/server_callback.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/tracker/service/call_limits.h"
#include "rpc/tracker/service/dispatcher.h"
#include "rpc/tracker/service/outbox.h"
#include "rpc/tracker/service/service_parts.h"

namespace assay::rpc {

class AcquireCall : public grpc::ServerWriteReactor<AcquireAnswer>,
                    public WaitingStream,
                    public std::enable_shared_from_this<AcquireCall> {
 public:
  // Starts the call of `user`, whose request was checked. The call owns itself
  // until it is done; the dispatcher may hold it for longer. `authorize`, if it
  // is set, is called when a lease was granted, which can be a day later: the
  // user may have been revoked meanwhile. Then the call ends with its error.
  static AcquireCall* Start(const ServiceParts& parts, CallLimits::Slot slot,
                            const std::string& user,
                            const AcquireRequest& request,
                            std::function<absl::Status()> authorize = nullptr);

  // Of WaitingStream.
  void SendPlace(const Place& place) override;
  bool SendLease(const Lease& lease, int64_t token) override;
  void Close(const absl::Status& status) override;

 private:
  using Step = OutboxStep;

  AcquireCall(const ServiceParts& parts, CallLimits::Slot slot,
              const std::string& user, const AcquireRequest& request,
              std::function<absl::Status()> authorize);

  void Do(Step step);
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  const ServiceParts parts_;
  CallLimits::Slot slot_;
  const std::string user_;
  const AcquireRequest request_;
  const std::function<absl::Status()> authorize_;  // may be null
  // The first slot has the place, the second one the lease.
  Outbox<AcquireAnswer, 2> outbox_;
  std::atomic<bool> posted_{false};
  std::atomic<bool> cancelled_{false};
  // The token of the lease that was given to the outbox, or 0.
  std::atomic<int64_t> token_{0};
  std::shared_ptr<AcquireCall> self_;  // until OnDone()
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_ACQUIRE_CALL_H_
