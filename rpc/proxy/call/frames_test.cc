#include "rpc/proxy/call/frames.h"

#include <string>
#include <vector>

#include "grpcpp/support/slice.h"
#include "gtest/gtest.h"
#include "rpc/transport/status.h"

namespace assay::rpc {
namespace {

constexpr char kMethod[] = "/assay.rpc.Device/Open";
constexpr int64_t kSecond = 1'000'000'000;

grpc::ByteBuffer Buffer(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

std::string Text(const grpc::ByteBuffer& buffer) {
  grpc::Slice slice;
  EXPECT_TRUE(buffer.DumpToSingleSlice(&slice).ok());
  return std::string(reinterpret_cast<const char*>(slice.begin()),
                     slice.size());
}

RequestFrameReader Started() {
  RequestFrameReader reader;
  EXPECT_TRUE(reader.Read(StartFrame(kMethod, "lease", kSecond)).ok());
  return reader;
}

TEST(FramesTest, RequestsAreAStartMessagesAndAnEnd) {
  RequestFrameReader reader;
  const auto start = reader.Read(StartFrame(kMethod, "\xffle\0ase", kSecond));
  ASSERT_TRUE(start.ok()) << start.status();
  EXPECT_EQ(start->start().method(), kMethod);
  EXPECT_EQ(start->start().lease(), "\xffle\0ase");
  EXPECT_EQ(start->start().timeout_nanos(), kSecond);

  // A message may have several slices, and may be empty.
  const std::vector<grpc::Slice> slices = {grpc::Slice(std::string("two ")),
                                           grpc::Slice(std::string("parts"))};
  auto message = reader.Read(
      RequestMessageFrame(grpc::ByteBuffer(slices.data(), slices.size())));
  ASSERT_TRUE(message.ok()) << message.status();
  EXPECT_EQ(Text(TakeBytes(message->mutable_message())), "two parts");
  message = reader.Read(RequestMessageFrame(grpc::ByteBuffer()));
  ASSERT_TRUE(message.ok()) << message.status();
  EXPECT_TRUE(message->has_message());
  EXPECT_EQ(TakeBytes(message->mutable_message()).Length(), 0);

  const auto end = reader.Read(EndFrame());
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_TRUE(end->has_end());
}

TEST(FramesTest, ResponsesAreMessagesAndAStatus) {
  ResponseFrameReader reader;
  reader.Start();
  auto message = reader.Read(ResponseMessageFrame(Buffer("answer")));
  ASSERT_TRUE(message.ok()) << message.status();
  EXPECT_EQ(message->message(), "answer");
  const grpc::Status status(grpc::StatusCode::ABORTED, "not UTF-8: \xff");
  const auto last = reader.Read(StatusFrame(status));
  ASSERT_TRUE(last.ok()) << last.status();
  const grpc::Status read = StatusOf(last->status());
  EXPECT_EQ(read.error_code(), status.error_code());
  EXPECT_EQ(read.error_message(), status.error_message());
}

TEST(FramesTest, RequestsInAnotherOrderAreErrors) {
  RequestFrameReader none;
  EXPECT_TRUE(absl::IsInvalidArgument(
      none.Read(RequestMessageFrame(Buffer("x"))).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(none.Read(EndFrame()).status()));

  RequestFrameReader twice = Started();
  EXPECT_TRUE(absl::IsInvalidArgument(
      twice.Read(StartFrame(kMethod, "", kSecond)).status()));

  RequestFrameReader ended = Started();
  EXPECT_TRUE(ended.Read(EndFrame()).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(
      ended.Read(RequestMessageFrame(Buffer("x"))).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(ended.Read(EndFrame()).status()));
}

TEST(FramesTest, ResponsesInAnotherOrderAreErrors) {
  ResponseFrameReader early;
  EXPECT_TRUE(absl::IsInvalidArgument(
      early.Read(ResponseMessageFrame(Buffer("x"))).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      early.Read(StatusFrame(grpc::Status::OK)).status()));

  ResponseFrameReader ended;
  ended.Start();
  EXPECT_TRUE(ended.Read(StatusFrame(grpc::Status::OK)).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(
      ended.Read(ResponseMessageFrame(Buffer("x"))).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      ended.Read(StatusFrame(grpc::Status::OK)).status()));
}

TEST(FramesTest, BytesThatAreNoFrameAreErrors) {
  for (const char* text :
       {"\x1a", "\xff\xff\xff\xff", "\x0a\x7f", "\x12\x05x"}) {
    RequestFrameReader requests;
    EXPECT_TRUE(absl::IsInvalidArgument(requests.Read(Buffer(text)).status()));
    ResponseFrameReader responses;
    responses.Start();
    EXPECT_TRUE(absl::IsInvalidArgument(responses.Read(Buffer(text)).status()));
  }
  for (const grpc::ByteBuffer& empty : {grpc::ByteBuffer(), Buffer("")}) {
    RequestFrameReader requests;
    EXPECT_TRUE(absl::IsInvalidArgument(requests.Read(empty).status()));
    ResponseFrameReader responses;
    responses.Start();
    EXPECT_TRUE(absl::IsInvalidArgument(responses.Read(empty).status()));
  }
}

TEST(FramesTest, StartsAreLimited) {
  const auto read = [](const std::string& method, const std::string& lease,
                       int64_t nanos) {
    RequestFrameReader reader;
    return reader.Read(StartFrame(method, lease, nanos)).status();
  };
  EXPECT_TRUE(read(kMethod, "", 1).ok());
  EXPECT_TRUE(read(kMethod, std::string(16 << 10, 'x'), kMaxCallNanos).ok());
  EXPECT_FALSE(read("/assay.rpc.Tracker/List", "", 1).ok());
  EXPECT_FALSE(read(kMethod, std::string((16 << 10) + 1, 'x'), 1).ok());
  for (const int64_t nanos : {int64_t{0}, int64_t{-1}, kMaxCallNanos + 1}) {
    EXPECT_TRUE(absl::IsInvalidArgument(read(kMethod, "", nanos))) << nanos;
  }
}

TEST(FramesTest, KnowsTheMethodsOfTheDevice) {
  EXPECT_TRUE(IsDeviceMethod("/assay.rpc.Device/Open"));
  for (const char* method :
       {"", "/", "/assay.rpc.Device", "/assay.rpc.Device/",
        "assay.rpc.Device/x", "/assay.rpc.Device/a/b", "/assay.rpc.Device/a b",
        "/assay.rpc.Device/..", "/assay.rpc.Devices/Open",
        "/assay.rpc.Proxy/Attach", "/grpc.health.v1.Health/Check"}) {
    EXPECT_FALSE(IsDeviceMethod(method)) << method;
  }
  EXPECT_FALSE(IsDeviceMethod("/assay.rpc.Device/" + std::string(65, 'x')));
}

TEST(FramesTest, LargeMessagesAreRefused) {
  const std::string largest(kMaxProxiedBytes, 'x');
  EXPECT_TRUE(CheckMessage(Buffer(largest)).ok());
  EXPECT_LE(RequestMessageFrame(Buffer(largest)).Length(), kMaxMessageBytes);
  EXPECT_LE(ResponseMessageFrame(Buffer(largest)).Length(), kMaxMessageBytes);
  const grpc::ByteBuffer larger = Buffer(largest + "x");
  EXPECT_TRUE(absl::IsResourceExhausted(CheckMessage(larger)));
  EXPECT_TRUE(absl::IsResourceExhausted(
      Started().Read(RequestMessageFrame(larger)).status()));
  ResponseFrameReader responses;
  responses.Start();
  EXPECT_TRUE(absl::IsResourceExhausted(
      responses.Read(ResponseMessageFrame(larger)).status()));
  // A claim of 1 GiB without the bytes.
  EXPECT_TRUE(absl::IsInvalidArgument(
      responses.Read(Buffer("\x0a\x80\x80\x80\x80\x04")).status()));
  EXPECT_TRUE(absl::IsResourceExhausted(
      responses.Read(Buffer(std::string(kMaxMessageBytes + 1, 'x'))).status()));
}

TEST(FramesTest, NumbersOfTakenMessagesAreLimited) {
  for (const int taken : {1, kMaxUntaken}) {
    ResponseFrameReader reader;
    reader.Start();
    const auto frame = reader.Read(TakenFrame(taken));
    ASSERT_TRUE(frame.ok()) << frame.status();
    EXPECT_EQ(frame->taken(), taken);
  }
  for (const int taken : {0, -1, kMaxUntaken + 1, 2147483647}) {
    ResponseFrameReader reader;
    reader.Start();
    EXPECT_TRUE(
        absl::IsInvalidArgument(reader.Read(TakenFrame(taken)).status()));
  }
}

TEST(FramesTest, StatusesAreLimited) {
  ResponseFrame::Status status;
  for (const int code : {17, -1, 1000000, -2147483647}) {
    status.set_code(code);
    EXPECT_EQ(StatusOf(status).error_code(), grpc::StatusCode::UNKNOWN);
  }
  status.set_code(16);
  EXPECT_EQ(StatusOf(status).error_code(), grpc::StatusCode::UNAUTHENTICATED);
  status.set_message(std::string(1 << 20, 'x'));
  EXPECT_EQ(StatusOf(status).error_message().size(), kMaxStatusMessage);
  const grpc::Status long_status(grpc::StatusCode::INTERNAL,
                                 std::string(1 << 20, 'x'));
  EXPECT_LT(StatusFrame(long_status).Length(), kMaxStatusMessage + 20);
}

TEST(FramesTest, StatusesKeepTheirReason) {
  const absl::Status error =
      WithReason(absl::NotFoundError("gone"), ErrorInfo::NO_SESSION);
  ResponseFrameReader reader;
  reader.Start();
  const auto frame = reader.Read(StatusFrame(ToGrpc(error)));
  ASSERT_TRUE(frame.ok()) << frame.status();
  EXPECT_EQ(FromGrpc(StatusOf(frame->status())), error);
}

TEST(FramesTest, ParsesTheMessagesOfAttach) {
  AttachRequest request;
  request.set_device("rack1-03");
  EXPECT_EQ(ParseAttachRequest(ToBytes(request))->device(), "rack1-03");
  EXPECT_TRUE(
      absl::IsInvalidArgument(ParseAttachRequest(Buffer("\xff\xff")).status()));
  request.set_lease_key(std::string(16 << 10, 'x'));
  EXPECT_TRUE(
      absl::IsResourceExhausted(ParseAttachRequest(ToBytes(request)).status()));

  AttachAnswer answer;
  EXPECT_FALSE(ParseAttachAnswer(ToBytes(answer)).ok());
  answer.set_session("s");
  EXPECT_EQ(ParseAttachAnswer(ToBytes(answer))->session(), "s");
  for (const std::string& session :
       {std::string(257, 'x'), std::string("a\nb"), std::string("a b")}) {
    answer.set_session(session);
    EXPECT_FALSE(ParseAttachAnswer(ToBytes(answer)).ok()) << session;
  }
}

}  // namespace
}  // namespace assay::rpc
