// Frames: the messages of Proxy.Carry (proxy.proto) as bytes, and the rules
// about their order and size.
//
//   RequestFrameReader reader;                   // in the agent
//   ASSAY_ASSIGN_OR_RETURN(RequestFrame frame, reader.Read(bytes));
//
// A reader is for one stream. It takes arbitrary bytes, and returns a frame
// only if it is permitted at this place; otherwise InvalidArgument, or
// ResourceExhausted if something is too large. After an error the stream must
// be closed.
#ifndef ASSAY_RPC_PROXY_CALL_FRAMES_H_
#define ASSAY_RPC_PROXY_CALL_FRAMES_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message_lite.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/status.h"
#include "rpc/proto/proxy.pb.h"
#include "rpc/transport/channel.h"

namespace assay::rpc {

// The metadata of Carry that has the session of AttachAnswer.
constexpr char kSessionKey[] = "assay-session";

// The largest message of a call. The rest of the largest message of gRPC is for
// the frame around it.
constexpr size_t kMaxProxiedBytes = kMaxMessageBytes - 1024;

// How many messages the proxy sends that were not taken.
constexpr int kMaxUntaken = 3;

// The longest time of a call. A later deadline is replaced by it.
constexpr int64_t kMaxCallNanos = int64_t{24} * 3600 * 1'000'000'000;

// Returns true for `/assay.rpc.Device/METHOD`, with letters only in METHOD.
bool IsDeviceMethod(absl::string_view method);

// Returns ResourceExhausted if a message of a call is too large.
absl::Status CheckMessage(const grpc::ByteBuffer& message);

grpc::ByteBuffer StartFrame(const std::string& method, const std::string& lease,
                            int64_t timeout_nanos);
grpc::ByteBuffer RequestMessageFrame(const grpc::ByteBuffer& message);
grpc::ByteBuffer EndFrame();
grpc::ByteBuffer ResponseMessageFrame(const grpc::ByteBuffer& message);
grpc::ByteBuffer TakenFrame(int messages);
// A message of the status that is too long is cut.
grpc::ByteBuffer StatusFrame(const grpc::Status& status);

// Returns the status of a frame. A code that does not exist is UNKNOWN.
grpc::Status StatusOf(const ResponseFrame::Status& status);

// The messages of Attach. They have the errors of the readers.
absl::StatusOr<AttachRequest> ParseAttachRequest(const grpc::ByteBuffer& bytes);
absl::StatusOr<AttachAnswer> ParseAttachAnswer(const grpc::ByteBuffer& bytes);

grpc::ByteBuffer ToBytes(const google::protobuf::MessageLite& message);

// Returns the bytes of a message as the buffer of one slice, without a copy.
grpc::ByteBuffer TakeBytes(std::string* bytes);

// What the proxy sends: `start`, messages, `end`.
class RequestFrameReader {
 public:
  absl::StatusOr<RequestFrame> Read(const grpc::ByteBuffer& bytes);

 private:
  bool started_ = false;
  bool ended_ = false;
};

// What the agent sends after Start(): messages, numbers of messages that were
// taken, a status.
class ResponseFrameReader {
 public:
  // The proxy has sent `start`.
  void Start() { started_ = true; }
  absl::StatusOr<ResponseFrame> Read(const grpc::ByteBuffer& bytes);

 private:
  bool started_ = false;
  bool ended_ = false;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_CALL_FRAMES_H_
