// What all calls of the device service have in common: who calls, until when,
// and how requests are parsed.
//
// Requests arrive as bytes and are parsed only after the lease was checked, and
// only if they are not too long: a message of two megabytes can become one of
// fifty megabytes when it is parsed.
#ifndef ASSAY_RPC_SERVER_SERVICE_CALL_H_
#define ASSAY_RPC_SERVER_SERVICE_CALL_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/message_lite.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "rpc/server/lease_guard.h"
#include "rpc/server/service/live_session.h"

namespace assay::rpc {

struct Caller {
  LeaseHolder holder = {};
  // By the monotonic clock. It is a little before the deadline of the client,
  // so that the client learns what happened.
  int64_t deadline_nanos = 0;
};

// Returns the errors of LeaseGuard::Check(), and InvalidArgument if the call
// has no deadline.
absl::StatusOr<Caller> Admit(const grpc::CallbackServerContext& context,
                             LeaseGuard& guard);

// Returns InvalidArgument if the request has more than `max_bytes` bytes or is
// not a message of this type.
absl::Status ParseRequest(const grpc::ByteBuffer& bytes, size_t max_bytes,
                          google::protobuf::MessageLite* request);

grpc::ByteBuffer SerializeAnswer(const google::protobuf::MessageLite& answer);

// A call with one request and one answer. Deletes itself at its end.
class UnaryCall : public grpc::ServerUnaryReactor {
 public:
  explicit UnaryCall(grpc::ByteBuffer* answer) : answer_(answer) {}

  const std::shared_ptr<CallState>& state() const { return state_; }

  // Exactly one of these must be called, once. The object may be gone then.
  void Fail(const absl::Status& error);
  void Succeed(const google::protobuf::MessageLite& answer);

 private:
  void OnCancel() override { state_->Cancel(); }
  void OnDone() override { delete this; }

  grpc::ByteBuffer* const answer_;
  const std::shared_ptr<CallState> state_ = std::make_shared<CallState>();
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_SERVICE_CALL_H_
