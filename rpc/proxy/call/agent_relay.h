// AgentRelay: the agent's part of one call. It waits on a stream of the proxy
// (proxy.proto) until a call arrives, makes the call at the server of this
// device, and passes messages between both.
//
//   proxy ──frames──▶ AgentRelay ──messages──▶ server of the device
//
//   AgentRelay relay(open);          // opens the call at the server
//   relay.Start(std::move(carry));   // a CallStream whose owner is
//                                    // relay.carry_owner()
//
// It reads all that the proxy sends, as proxy.proto explains, and tells it
// which messages the server has taken. The relay ends both streams:
//   The server ends its call.       The proxy gets the status, after all
//                                   messages.
//   The stream of the proxy ends.   The call at the server is cancelled.
//   The proxy breaks a rule.        Both are cancelled.
//   The server sends a message      The call at the server is cancelled, and
//   that is too large.              the proxy gets RESOURCE_EXHAUSTED.
//
// Not thread-safe: all events come from the thread of the agent.
#ifndef ASSAY_RPC_PROXY_CALL_AGENT_RELAY_H_
#define ASSAY_RPC_PROXY_CALL_AGENT_RELAY_H_

#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/status.h"
#include "rpc/proto/proxy.pb.h"
#include "rpc/proxy/call/frames.h"
#include "rpc/proxy/call/stream.h"

namespace assay::rpc {

class AgentRelay {
 public:
  // Makes a call at the server of the device. The stream reports to `owner`.
  using Open = std::function<std::unique_ptr<CallStream>(
      const RequestFrame::Start& start, CallOwner* owner)>;

  explicit AgentRelay(Open open);
  AgentRelay(const AgentRelay&) = delete;
  AgentRelay& operator=(const AgentRelay&) = delete;

  CallOwner* carry_owner() { return &carry_owner_; }

  // Must be called once, and not from within an event.
  void Start(std::unique_ptr<CallStream> carry);

  // Cancels both streams.
  void Cancel();

  // Returns true when the proxy has sent something.
  bool started() const { return started_; }
  // Returns true while a call may still come.
  bool waiting() const { return !started_ && !carry_done_; }
  // Returns true when both streams have ended, and this object may be deleted
  // (not from within an event).
  bool done() const {
    return carry_done_ && (local_ == nullptr || local_done_);
  }
  // The rule that the proxy has broken, or OK.
  const absl::Status& error() const { return error_; }

 private:
  class Carry : public CallOwner {
   public:
    explicit Carry(AgentRelay* relay) : relay_(relay) {}
    void OnRead(grpc::ByteBuffer message) override;
    void OnWritten() override;
    void OnDone(const grpc::Status& status) override;

   private:
    AgentRelay* const relay_;
  };
  class Local : public CallOwner {
   public:
    explicit Local(AgentRelay* relay) : relay_(relay) {}
    void OnRead(grpc::ByteBuffer message) override;
    void OnWritten() override;
    void OnDone(const grpc::Status& status) override;

   private:
    AgentRelay* const relay_;
  };

  // Write what is next, unless something is being written.
  void WriteToLocal();
  void WriteToCarry();

  const Open open_;
  Carry carry_owner_;
  Local local_owner_;
  std::unique_ptr<CallStream> carry_;
  std::unique_ptr<CallStream> local_;  // null until the proxy starts a call
  RequestFrameReader reader_;
  bool started_ = false;
  bool carry_done_ = false;
  bool local_done_ = false;

  std::deque<grpc::ByteBuffer> requests_;  // for the server
  bool local_writing_ = false;
  bool requests_end_ = false;  // no more requests will come
  bool local_end_ = false;     // the server was told so
  int untaken_ = 0;            // requests that the server has not taken
  int taken_ = 0;              // requests of which the proxy must be told

  std::optional<grpc::ByteBuffer> response_;  // a frame for the proxy
  bool carry_writing_ = false;
  bool status_sent_ = false;
  grpc::Status local_status_;
  absl::Status error_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_CALL_AGENT_RELAY_H_
