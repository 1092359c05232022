// Tests that the locked version of gRPC works on the build machine and, under
// emulation, on all other targets: a server and clients in one process, on an
// ephemeral port, with messages larger than all intermediate buffers and below
// gRPC's default limit of 4 MiB.

#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "tests/cross/echo.grpc.pb.h"
#include "tests/cross/echo.pb.h"

namespace assay::tests {
namespace {

class EchoService final : public Echo::Service {
 public:
  grpc::Status Send(grpc::ServerContext*, const EchoMessage* request,
                    EchoMessage* response) override {
    if (request->payload().empty()) {
      return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "empty payload");
    }
    *response = *request;
    return grpc::Status::OK;
  }
};

class GrpcLoopbackTest : public testing::Test {
 protected:
  void SetUp() override {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port_);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    ASSERT_NE(server_, nullptr);
    ASSERT_GT(port_, 0);
  }

  std::unique_ptr<Echo::Stub> NewStub() {
    return Echo::NewStub(grpc::CreateChannel(
        absl::StrCat("127.0.0.1:", port_), grpc::InsecureChannelCredentials()));
  }

  EchoService service_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

// Pseudorandom bytes.
std::string Pattern(size_t size, unsigned seed) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) {
    seed = seed * 1664525u + 1013904223u;
    byte = static_cast<char>(seed >> 24);
  }
  return bytes;
}

TEST_F(GrpcLoopbackTest, EchoesLargeMessagesOfConcurrentClients) {
  constexpr int kThreads = 4;
  constexpr size_t kSize = 3'000'000;
  std::vector<std::string> failures(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this, i, &failures] {
      EchoMessage request;
      request.set_payload(Pattern(kSize + i, i));
      EchoMessage response;
      grpc::ClientContext context;
      const grpc::Status status = NewStub()->Send(&context, request, &response);
      if (!status.ok()) {
        failures[i] = status.error_message();
      } else if (response.payload() != request.payload()) {
        failures[i] = "the response differs from the request";
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < kThreads; ++i) EXPECT_EQ(failures[i], "") << i;
}

TEST_F(GrpcLoopbackTest, TransmitsErrorCodeAndMessage) {
  EchoMessage response;
  grpc::ClientContext context;
  const grpc::Status status =
      NewStub()->Send(&context, EchoMessage(), &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(status.error_message(), "empty payload");
}

}  // namespace
}  // namespace assay::tests
