// RegisterCall: one call of Tracker.Register.
//
// The call reads a message only after the loop has handled the one before, so a
// device that floods the tracker has at most one message in memory and one
// command in the queue. The token of the device is checked again with each
// message: it may have been withdrawn.
#ifndef ASSAY_RPC_TRACKER_SERVICE_REGISTER_CALL_H_
#define ASSAY_RPC_TRACKER_SERVICE_REGISTER_CALL_H_

#include <atomic>
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

class RegisterCall : public grpc::ServerBidiReactor<FromDevice, ToDevice>,
                     public DeviceStream,
                     public std::enable_shared_from_this<RegisterCall> {
 public:
  // Returns an error if the token of the call is not valid any more.
  using Authorization = std::function<absl::Status()>;

  // Starts the call of the device whose token the caller has. The call owns
  // itself until it is done; the dispatcher may hold it for longer. `authorize`
  // is used until the call is done.
  static RegisterCall* Start(const ServiceParts& parts, CallLimits::Slot slot,
                             const std::string& device,
                             Authorization authorize);

  // Of DeviceStream.
  void Send(const ToDevice& message) override;
  void Close(const absl::Status& status) override;

 private:
  using Step = OutboxStep;

  RegisterCall(const ServiceParts& parts, CallLimits::Slot slot,
               const std::string& device, Authorization authorize);

  // Checks the message that was read.
  absl::Status Check();
  // Handles the message on the thread of the loop. The answer sends `welcome`
  // if there is one, and reads the next message.
  TrackerLoop::Answer Handle(tracker::LeaseBook& book, int64_t now);
  void Do(Step step);
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  const ServiceParts parts_;
  CallLimits::Slot slot_;
  const std::string device_;
  const Authorization authorize_;
  // A read is outstanding, or the loop handles the message, or the call is
  // closed. Only the one whose turn it is uses the message.
  FromDevice message_;
  bool has_hello_ = false;  // as `message_`
  // The first slot has the welcome, the second one the last lease that ended.
  Outbox<ToDevice, 2> outbox_;
  // No further message may be read.
  std::atomic<bool> closed_{false};
  // The device has closed its side, or the connection is lost.
  std::atomic<bool> end_of_messages_{false};
  std::atomic<bool> cancelled_{false};
  std::shared_ptr<RegisterCall> self_;  // until OnDone()
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_REGISTER_CALL_H_
