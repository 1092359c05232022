#include "rpc/program/listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/support/channel_arguments.h"
#include "gtest/gtest.h"
#include "rpc/program/connection_table.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/transport/channel.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

Transport PlainText() { return {"", /*plain_text=*/true}; }

class SlowService : public Tracker::Service {
 public:
  grpc::Status List(grpc::ServerContext* context, const ListRequest*,
                    ListAnswer*) override {
    while (!context->IsCancelled()) {
      Clock::Monotonic()->SleepNanos(1'000'000);
    }
    return grpc::Status::CANCELLED;
  }
  grpc::Status Quarantine(grpc::ServerContext*, const QuarantineRequest*,
                          QuarantineAnswer*) override {
    return grpc::Status::OK;
  }
};

// Knows everybody who calls.
class KnowingService : public Tracker::Service {
 public:
  explicit KnowingService(ConnectionTable* table) : table_(table) {}
  grpc::Status Quarantine(grpc::ServerContext* context,
                          const QuarantineRequest*,
                          QuarantineAnswer*) override {
    table_->Know(context->peer());
    return grpc::Status::OK;
  }

 private:
  ConnectionTable* const table_;
};

class ListenerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto listener = Listener::Start({"127.0.0.1:0", PlainText()}, {&service_});
    ASSERT_TRUE(listener.ok()) << listener.status();
    listener_ = *std::move(listener);
    address_ = {absl::StrCat("127.0.0.1:", listener_->port()), ""};
    channel_ = *OpenChannel(PlainText(), address_);
  }

  // Calls a method with an empty request, and returns the bytes of the answer.
  std::string Call(const std::string& method, grpc::Status* status) {
    grpc::ClientContext context;
    PrepareContext(address_, std::chrono::seconds(5), &context);
    grpc::CompletionQueue queue;
    grpc::GenericStub stub(channel_);
    const grpc::Slice empty;
    auto call = stub.PrepareUnaryCall(&context, method,
                                      grpc::ByteBuffer(&empty, 1), &queue);
    call->StartCall();
    grpc::ByteBuffer answer;
    call->Finish(&answer, status, nullptr);
    void* tag = nullptr;
    bool ok = false;
    queue.Next(&tag, &ok);
    grpc::Slice slice;
    if (!status->ok() || !answer.DumpToSingleSlice(&slice).ok()) return "";
    return std::string(reinterpret_cast<const char*>(slice.begin()),
                       slice.size());
  }

  SlowService service_;
  std::unique_ptr<Listener> listener_;
  Address address_;
  std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(ListenerTest, AnswersQuickly) {
  const int64_t start = MonotonicNanos();
  const auto stub = Tracker::NewStub(channel_);
  grpc::ClientContext context;
  PrepareContext(address_, std::chrono::seconds(5), &context);
  QuarantineAnswer answer;
  const grpc::Status status = stub->Quarantine(&context, {}, &answer);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_LT(MonotonicNanos() - start, 2'000'000'000);
}

TEST_F(ListenerTest, SaysWhetherItServes) {
  grpc::Status status;
  const std::string method = "/grpc.health.v1.Health/Check";
  // The answer has the field 1 with SERVING, 1, or NOT_SERVING, 2.
  EXPECT_EQ(Call(method, &status), "\x08\x02");
  listener_->SetServing(true);
  EXPECT_EQ(Call(method, &status), "\x08\x01");
  EXPECT_TRUE(status.ok()) << status.error_message();
}

// Each open stream of gRPC's service for reflection takes a thread.
TEST_F(ListenerTest, HasNoReflection) {
  grpc::Status status;
  Call("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
       &status);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  Call("/no.such.Service/Call", &status);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
}

// The only service that answers callers without a token, and streams.
TEST_F(ListenerTest, OpenHealthStreamsTakeNoThreads) {
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                         std::filesystem::directory_iterator());
  };
  constexpr int kStreams = 200;
  struct Stream {
    grpc::ClientContext context;
    std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call;
  };
  grpc::CompletionQueue queue;
  grpc::GenericStub stub(channel_);
  const auto next = [&queue] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  std::vector<std::unique_ptr<Stream>> streams;
  int64_t first = 0;
  for (int i = 0; i < kStreams; ++i) {
    streams.push_back(std::make_unique<Stream>());
    Stream& stream = *streams.back();
    PrepareContext(address_, std::chrono::seconds(300), &stream.context);
    stream.call = stub.PrepareCall(&stream.context,
                                   "/grpc.health.v1.Health/Watch", &queue);
    stream.call->StartCall(nullptr);
    EXPECT_TRUE(next());
    const grpc::Slice empty;
    stream.call->WriteLast(grpc::ByteBuffer(&empty, 1), {}, nullptr);
    EXPECT_TRUE(next());
    grpc::ByteBuffer answer;
    stream.call->Read(&answer, nullptr);
    EXPECT_TRUE(next());
    if (i == 10) first = threads();
  }
  EXPECT_LT(threads(), first + 50);
  for (const auto& stream : streams) {
    grpc::Status status;
    stream->context.TryCancel();
    stream->call->Finish(&status, nullptr);
    next();
  }
}

// A small message can become a large one.
TEST_F(ListenerTest, RefusesCompressedMessages) {
  for (const grpc_compression_algorithm algorithm :
       {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    grpc::ChannelArguments arguments;
    arguments.SetMaxSendMessageSize(-1);
    const auto stub = Tracker::NewStub(grpc::CreateCustomChannel(
        address_.endpoint, grpc::InsecureChannelCredentials(), arguments));
    for (const size_t size : {size_t{100}, size_t{8} << 20}) {
      grpc::ClientContext context;
      PrepareContext(address_, std::chrono::seconds(300), &context);
      context.set_compression_algorithm(algorithm);
      QuarantineRequest request;
      request.set_reason(std::string(size, 'x'));
      QuarantineAnswer answer;
      const grpc::Status status = stub->Quarantine(&context, request, &answer);
      EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED)
          << status.error_message();
    }
  }
}

TEST_F(ListenerTest, IdleConnectionsAreClosed) {
  ListenOptions options = {"127.0.0.1:0", PlainText()};
  options.idle_ms = 100;
  const auto listener = Listener::Start(options, {&service_});
  ASSERT_TRUE(listener.ok()) << listener.status();
  const auto channel = *OpenChannel(
      PlainText(), {absl::StrCat("127.0.0.1:", (*listener)->port()), ""});
  ASSERT_TRUE(channel->WaitForConnected(std::chrono::system_clock::now() +
                                        std::chrono::seconds(60)));
  EXPECT_TRUE(channel->WaitForStateChange(
      GRPC_CHANNEL_READY,
      std::chrono::system_clock::now() + std::chrono::seconds(60)));
}

// A caller whose token was accepted keeps the connection, and others do not.
TEST_F(ListenerTest, ServicesSayWhoIsKnown) {
  ConnectionLimits limits;
  limits.anonymous_nanos = 300'000'000;
  ConnectionTable table(limits);
  KnowingService service(&table);
  ListenOptions options = {"127.0.0.1:0", PlainText()};
  options.connections = &table;
  const auto listener = Listener::Start(options, {&service});
  ASSERT_TRUE(listener.ok()) << listener.status();
  const Address address = {absl::StrCat("127.0.0.1:", (*listener)->port()), ""};
  const auto known = *OpenChannel(PlainText(), address);
  const auto call = [&] {
    grpc::ClientContext context;
    PrepareContext(address, std::chrono::seconds(60), &context);
    context.set_wait_for_ready(true);
    QuarantineAnswer answer;
    return Tracker::NewStub(known)->Quarantine(&context, {}, &answer);
  };
  // On a busy machine, the connection can be closed before the first call.
  while (!call().ok()) {
  }
  EXPECT_EQ(table.anonymous(), 0u);
  const auto anonymous = *OpenChannel(PlainText(), address);
  ASSERT_TRUE(anonymous->WaitForConnected(std::chrono::system_clock::now() +
                                          std::chrono::seconds(60)));
  EXPECT_TRUE(anonymous->WaitForStateChange(
      GRPC_CHANNEL_READY,
      std::chrono::system_clock::now() + std::chrono::seconds(60)));
  EXPECT_EQ(known->GetState(/*try_to_connect=*/false), GRPC_CHANNEL_READY);
}

TEST_F(ListenerTest, StopCancelsCallsAfterTheGrace) {
  const auto stub = Tracker::NewStub(channel_);
  grpc::ClientContext context;
  PrepareContext(address_, std::chrono::seconds(20), &context);
  ListAnswer answer;
  grpc::Status status;
  std::thread caller([&] { status = stub->List(&context, {}, &answer); });
  Clock::Monotonic()->SleepNanos(50'000'000);
  const int64_t start = MonotonicNanos();
  listener_->Stop(100'000'000);
  EXPECT_LT(MonotonicNanos() - start, 5'000'000'000);
  caller.join();
  EXPECT_FALSE(status.ok());
}

TEST_F(ListenerTest, AnAddressInUseIsAnError) {
  const auto second =
      Listener::Start({address_.endpoint, PlainText()}, {&service_});
  EXPECT_TRUE(absl::IsUnavailable(second.status()));
  EXPECT_NE(second.status().message().find(address_.endpoint),
            std::string::npos);
}

TEST_F(ListenerTest, HasAChannelWithoutAConnection) {
  const auto stub = Tracker::NewStub(listener_->InProcessChannel());
  grpc::ClientContext context;
  PrepareContext(address_, std::chrono::seconds(5), &context);
  QuarantineAnswer answer;
  const grpc::Status status = stub->Quarantine(&context, {}, &answer);
  EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST_F(ListenerTest, LargeMessagesAreRefused) {
  const auto stub = Tracker::NewStub(channel_);
  grpc::ClientContext context;
  PrepareContext(address_, std::chrono::seconds(5), &context);
  QuarantineRequest request;
  request.set_reason(std::string(kMaxMessageBytes + 1, 'x'));
  QuarantineAnswer answer;
  EXPECT_EQ(stub->Quarantine(&context, request, &answer).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
}

// Such connections would collect otherwise.
TEST_F(ListenerTest, SilentConnectionsAreClosed) {
  ListenOptions options = {"127.0.0.1:0", PlainText()};
  options.handshake_ms = 100;
  const auto listener = Listener::Start(options, {&service_});
  ASSERT_TRUE(listener.ok()) << listener.status();
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>((*listener)->port()));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)),
            0);
  // The server may send the start of HTTP/2 before it closes the connection.
  const timeval limit = {5, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  char buffer[1000];
  ssize_t size = 0;
  do {
    size = recv(fd, buffer, sizeof(buffer), 0);
  } while (size > 0);
  EXPECT_TRUE(size == 0 || errno == ECONNRESET) << errno;
  close(fd);
}

}  // namespace
}  // namespace assay::rpc
