#include "rpc/proxy/call/frames.h"

#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "google/protobuf/message_lite.h"
#include "grpcpp/support/proto_buffer_reader.h"
#include "grpcpp/support/slice.h"
#include "rpc/transport/status.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr size_t kMaxMethod = 64;
constexpr size_t kMaxLease = 16 << 10;
constexpr size_t kMaxAttach = 16 << 10;
constexpr size_t kMaxSession = 256;

absl::Status Parse(const grpc::ByteBuffer& bytes,
                   google::protobuf::MessageLite* message) {
  if (bytes.Length() > kMaxMessageBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("a frame has ", bytes.Length(), " bytes, more than ",
                     kMaxMessageBytes));
  }
  // The reader keeps a reference of its own, and needs a buffer that is valid.
  grpc::ByteBuffer copy = bytes;
  bool parsed = false;
  if (copy.Valid()) {
    grpc::ProtoBufferReader reader(&copy);
    parsed = reader.status().ok() && message->ParseFromZeroCopyStream(&reader);
  } else {
    parsed = message->ParseFromString("");
  }
  return parsed ? absl::OkStatus()
                : absl::InvalidArgumentError(
                      "a frame is not a message of proxy.proto");
}

std::string Bytes(const grpc::ByteBuffer& message) {
  std::string bytes;
  std::vector<grpc::Slice> slices;
  if (!message.Valid()) return bytes;
  CHECK(message.Dump(&slices).ok());
  bytes.reserve(message.Length());
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

absl::Status CheckSize(size_t size) {
  if (size <= kMaxProxiedBytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("a message has ", size,
                   " bytes, and the proxy passes at "
                   "most ",
                   kMaxProxiedBytes));
}

absl::Status CheckStart(const RequestFrame::Start& start) {
  if (!IsDeviceMethod(start.method())) {
    return absl::InvalidArgumentError(
        "the method of a call is not one of the device");
  }
  if (start.lease().size() > kMaxLease) {
    return absl::InvalidArgumentError("the lease of a call is too large");
  }
  if (start.timeout_nanos() <= 0 || start.timeout_nanos() > kMaxCallNanos) {
    return absl::InvalidArgumentError("the time of a call is not valid");
  }
  return absl::OkStatus();
}

}  // namespace

bool IsDeviceMethod(absl::string_view method) {
  if (!absl::ConsumePrefix(&method, "/assay.rpc.Device/")) return false;
  if (method.empty() || method.size() > kMaxMethod) return false;
  for (const char c : method) {
    if (!absl::ascii_isalpha(c)) return false;
  }
  return true;
}

absl::Status CheckMessage(const grpc::ByteBuffer& message) {
  return CheckSize(message.Length());
}

grpc::ByteBuffer StartFrame(const std::string& method, const std::string& lease,
                            int64_t timeout_nanos) {
  RequestFrame frame;
  frame.mutable_start()->set_method(method);
  frame.mutable_start()->set_lease(lease);
  frame.mutable_start()->set_timeout_nanos(timeout_nanos);
  return ToBytes(frame);
}

grpc::ByteBuffer RequestMessageFrame(const grpc::ByteBuffer& message) {
  RequestFrame frame;
  frame.set_message(Bytes(message));
  return ToBytes(frame);
}

grpc::ByteBuffer EndFrame() {
  RequestFrame frame;
  frame.mutable_end();
  return ToBytes(frame);
}

grpc::ByteBuffer ResponseMessageFrame(const grpc::ByteBuffer& message) {
  ResponseFrame frame;
  frame.set_message(Bytes(message));
  return ToBytes(frame);
}

grpc::ByteBuffer TakenFrame(int messages) {
  ResponseFrame frame;
  frame.set_taken(messages);
  return ToBytes(frame);
}

grpc::ByteBuffer StatusFrame(const grpc::Status& status) {
  const grpc::Status cut = ToGrpc(FromGrpc(status));
  ResponseFrame frame;
  frame.mutable_status()->set_code(cut.error_code());
  frame.mutable_status()->set_message(cut.error_message());
  frame.mutable_status()->set_details(cut.error_details());
  return ToBytes(frame);
}

grpc::Status StatusOf(const ResponseFrame::Status& status) {
  const int code = status.code();
  const bool is_known = code >= 0 && code <= grpc::StatusCode::UNAUTHENTICATED;
  return ToGrpc(
      FromGrpc(grpc::Status(is_known ? static_cast<grpc::StatusCode>(code)
                                     : grpc::StatusCode::UNKNOWN,
                            status.message(), status.details())));
}

absl::StatusOr<AttachRequest> ParseAttachRequest(
    const grpc::ByteBuffer& bytes) {
  AttachRequest request;
  if (bytes.Length() > kMaxAttach) {
    return absl::ResourceExhaustedError("a request to attach is too large");
  }
  ASSAY_RETURN_IF_ERROR(Parse(bytes, &request));
  return request;
}

absl::StatusOr<AttachAnswer> ParseAttachAnswer(const grpc::ByteBuffer& bytes) {
  AttachAnswer answer;
  ASSAY_RETURN_IF_ERROR(Parse(bytes, &answer));
  // It is sent back as metadata, in which gRPC does not permit all bytes.
  bool is_valid =
      !answer.session().empty() && answer.session().size() <= kMaxSession;
  for (const char c : answer.session()) is_valid &= absl::ascii_isalnum(c);
  if (!is_valid) {
    return absl::InvalidArgumentError("the session of the proxy is not valid");
  }
  return answer;
}

grpc::ByteBuffer ToBytes(const google::protobuf::MessageLite& message) {
  const size_t size = message.ByteSizeLong();
  grpc::Slice slice(size);
  // A new slice has no other owner, so its bytes may be written.
  CHECK(message.SerializeToArray(const_cast<uint8_t*>(slice.begin()),
                                 static_cast<int>(size)));
  return grpc::ByteBuffer(&slice, 1);
}

grpc::ByteBuffer TakeBytes(std::string* bytes) {
  auto* owned = new std::string(std::move(*bytes));
  const grpc::Slice slice(
      owned->data(), owned->size(),
      [](void* text) { delete static_cast<std::string*>(text); }, owned);
  return grpc::ByteBuffer(&slice, 1);
}

absl::StatusOr<RequestFrame> RequestFrameReader::Read(
    const grpc::ByteBuffer& bytes) {
  RequestFrame frame;
  ASSAY_RETURN_IF_ERROR(Parse(bytes, &frame));
  if (frame.frame_case() == RequestFrame::FRAME_NOT_SET) {
    return absl::InvalidArgumentError("a frame is empty");
  }
  if (frame.has_start() == started_) {
    return absl::InvalidArgumentError(
        started_ ? "a stream has two calls"
                 : "the first frame does not start a call");
  }
  if (ended_) {
    return absl::InvalidArgumentError("a frame follows the end of requests");
  }
  if (frame.has_start()) {
    ASSAY_RETURN_IF_ERROR(CheckStart(frame.start()));
    started_ = true;
  } else if (frame.has_message()) {
    ASSAY_RETURN_IF_ERROR(CheckSize(frame.message().size()));
  } else {
    ended_ = true;
  }
  return frame;
}

absl::StatusOr<ResponseFrame> ResponseFrameReader::Read(
    const grpc::ByteBuffer& bytes) {
  ResponseFrame frame;
  ASSAY_RETURN_IF_ERROR(Parse(bytes, &frame));
  if (!started_) {
    return absl::InvalidArgumentError("a frame precedes the start of a call");
  }
  if (ended_) {
    return absl::InvalidArgumentError("a frame follows the status");
  }
  if (frame.frame_case() == ResponseFrame::FRAME_NOT_SET) {
    return absl::InvalidArgumentError("a frame is empty");
  }
  if (frame.has_message()) {
    ASSAY_RETURN_IF_ERROR(CheckSize(frame.message().size()));
  } else if (frame.has_taken()) {
    if (frame.taken() < 1 || frame.taken() > kMaxUntaken) {
      return absl::InvalidArgumentError(
          "the number of messages that were taken is not valid");
    }
  } else {
    ended_ = true;
  }
  return frame;
}

}  // namespace assay::rpc
