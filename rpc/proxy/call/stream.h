// AnswerStream and CallStream: a call of gRPC as a server and as a client see
// it, reduced to what the proxy needs. Messages are bytes. All operations start
// something and return at once; what became of it is told to the owner.
//
//   stream->Read();            // owner: OnRead() or, at the end, OnReadEnd()
//   stream->Write(message);    // owner: OnWritten()
//
// At most one Read() and one Write() may be in flight. An operation that fails
// has no event of its own: the call is over, and the owner is told that.
//
// The rules of a call are in relay.h and agent_relay.h, which know only these
// interfaces, so that they can be tested and fuzzed without a network. The
// implementations are in server_stream.h and client_stream.h.
#ifndef ASSAY_RPC_PROXY_CALL_STREAM_H_
#define ASSAY_RPC_PROXY_CALL_STREAM_H_

#include <memory>

#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/status.h"

namespace assay::rpc {

class AnswerOwner {
 public:
  virtual ~AnswerOwner() = default;
  virtual void OnRead(grpc::ByteBuffer message) = 0;
  // The caller sends no more messages.
  virtual void OnReadEnd() = 0;
  virtual void OnWritten() = 0;
  // The caller has cancelled the call, its deadline has passed, or the
  // connection is lost. End() must be called.
  virtual void OnCancelled() = 0;
};

// The stream of a call that this program answers.
class AnswerStream {
 public:
  virtual ~AnswerStream() = default;

  // Must be called before Read() and Write(). Returns false, and forgets the
  // owner, if the call has ended already.
  virtual bool SetOwner(std::shared_ptr<AnswerOwner> owner) = 0;

  virtual void Read() = 0;
  virtual void Write(grpc::ByteBuffer message) = 0;

  // Ends the call with a status, which the caller receives after the message
  // that is being written. There are no events and no effects of operations
  // after this one, except for Cancel().
  virtual void End(const grpc::Status& status) = 0;

  // Breaks off what is in flight. End() must also be called.
  virtual void Cancel() = 0;
};

class CallOwner {
 public:
  virtual ~CallOwner() = default;
  virtual void OnRead(grpc::ByteBuffer message) = 0;
  virtual void OnWritten() = 0;
  // The call has ended. This is the last event; it follows every call.
  virtual void OnDone(const grpc::Status& status) = 0;
};

// The stream of a call that this program makes.
class CallStream {
 public:
  virtual ~CallStream() = default;
  virtual void Read() = 0;
  virtual void Write(grpc::ByteBuffer message) = 0;
  // Says that no more messages are written. There must be no Write() in flight.
  virtual void EndWrites() = 0;
  virtual void Cancel() = 0;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_CALL_STREAM_H_
