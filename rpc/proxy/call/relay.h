// Relay: the proxy's part of one call. It joins the stream of a client with a
// stream on which the agent of a device carries the call (proxy.proto).
//
//   client ──messages──▶ Relay ──frames──▶ agent
//
//   auto relay = std::make_shared<Relay>(carry);
//   relay->Wait();                       // until a client calls
//   relay->Run(client, start);
//
// The relay ends both streams, once:
//   The agent sends a status.      The client gets it, after all messages.
//   The agent breaks a rule.       It gets the error of ResponseFrameReader;
//                                  the client gets UNAVAILABLE.
//   The agent's stream is lost.    The client gets UNAVAILABLE.
//   The client cancels, or sends   The agent's stream is cancelled; the client
//   a message that is too large.   gets CANCELLED or RESOURCE_EXHAUSTED.
//   No message passes for long.    The same with DEADLINE_EXCEEDED.
//
// In each direction, at most one message is held besides the one that is being
// written (pump.h), and at most kMaxUntaken messages are on their way to the
// server of the device. Thread-safe. It calls the streams while it holds its
// lock, so they must not report events from within an operation.
#ifndef ASSAY_RPC_PROXY_CALL_RELAY_H_
#define ASSAY_RPC_PROXY_CALL_RELAY_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/status.h"
#include "rpc/proxy/call/frames.h"
#include "rpc/proxy/call/pump.h"
#include "rpc/proxy/call/stream.h"
#include "runtime/base/clock.h"

namespace assay::rpc {

class Relay : public std::enable_shared_from_this<Relay> {
 public:
  explicit Relay(std::shared_ptr<AnswerStream> carry,
                 Clock* clock = Clock::Monotonic());
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  // Listens to the agent, which must be silent until Run(). From now on, the
  // streams keep the relay alive as their owner.
  void Wait();

  // Begins the call. `start` is a StartFrame(). If the agent's stream has
  // ended, the client gets UNAVAILABLE; if the client has left, the agent's
  // stream is ended. Must be called at most once, after Wait().
  void Run(std::shared_ptr<AnswerStream> client, grpc::ByteBuffer start);

  // Ends what has not ended yet.
  void Stop(const absl::Status& for_client, const absl::Status& for_agent);

  // Ends the call if no message has passed for `nanos`, and breaks off what is
  // left of a call that has ended.
  void StopIfIdle(int64_t nanos);

 private:
  class Carry : public AnswerOwner {
   public:
    explicit Carry(Relay* relay) : relay_(relay) {}
    void OnRead(grpc::ByteBuffer message) override;
    void OnReadEnd() override;
    void OnWritten() override;
    void OnCancelled() override;

   private:
    Relay* const relay_;
  };
  class Client : public AnswerOwner {
   public:
    explicit Client(Relay* relay) : relay_(relay) {}
    void OnRead(grpc::ByteBuffer message) override;
    void OnReadEnd() override;
    void OnWritten() override;
    void OnCancelled() override;

   private:
    Relay* const relay_;
  };

  // These require the mutex.
  void WriteToCarry(grpc::ByteBuffer frame);
  void ContinueRequests();
  // Ends what has not ended yet.
  void EndBoth(const absl::Status& for_client, const absl::Status& for_agent);
  // The agent has broken a rule.
  void BreakOff(const absl::Status& error);
  void EndCarry(const absl::Status& status);
  void EndClient(const grpc::Status& status);
  // Breaks off operations that are in flight, for which an end would wait.
  void CancelCarry();

  Clock* const clock_;
  const std::shared_ptr<AnswerStream> carry_;
  Carry carry_owner_;
  Client client_owner_;

  std::mutex mutex_;
  std::shared_ptr<AnswerStream> client_;  // null before Run()
  ResponseFrameReader reader_;
  Pump requests_;
  Pump responses_;
  bool start_sent_ = false;
  bool carry_writing_ = false;
  int untaken_ = 0;  // messages that the agent has not taken
  bool carry_ended_ = false;
  bool client_ended_ = false;
  grpc::Status status_;  // from the agent
  int64_t last_nanos_;   // when the last event came
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_CALL_RELAY_H_
