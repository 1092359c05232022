// Tests that the reflection and health services of the locked version of gRPC
// are linked into a program and answer. Their messages are written and read as
// bytes, because Debian has no generated code for them.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/health_check_service_interface.h"
#include "gtest/gtest.h"
#include "tests/cross/echo.grpc.pb.h"

namespace assay::tests {
namespace {

using ::testing::HasSubstr;

class GrpcServicesTest : public testing::Test {
 protected:
  void SetUp() override {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    ASSERT_NE(server_, nullptr);
    channel_ = grpc::CreateChannel(absl::StrCat("127.0.0.1:", port),
                                   grpc::InsecureChannelCredentials());
  }

  // Sends one message to `method` and returns the first message of the answer.
  absl::StatusOr<std::string> Send(const std::string& method,
                                   const std::string& request) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::seconds(10));
    grpc::CompletionQueue queue;
    grpc::GenericStub stub(channel_);
    const std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call =
        stub.PrepareCall(&context, method, &queue);
    // The queue returns one event per operation; a failure shows in the status.
    const auto wait = [&queue] {
      void* tag = nullptr;
      bool ok = false;
      return queue.Next(&tag, &ok) && ok;
    };
    const grpc::Slice slice(request);
    grpc::ByteBuffer answer;
    call->StartCall(nullptr);
    wait();
    call->WriteLast(grpc::ByteBuffer(&slice, 1), grpc::WriteOptions(), nullptr);
    wait();
    call->Read(&answer, nullptr);
    const bool has_answer = wait();
    grpc::Status status;
    call->Finish(&status, nullptr);
    wait();
    if (!status.ok()) {
      return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                          status.error_message());
    }
    if (!has_answer) return absl::NotFoundError("there is no answer");
    std::vector<grpc::Slice> slices;
    answer.Dump(&slices);
    std::string bytes;
    for (const grpc::Slice& part : slices) {
      bytes.append(reinterpret_cast<const char*>(part.begin()), part.size());
    }
    return bytes;
  }

  Echo::Service service_;
  std::unique_ptr<grpc::Server> server_;
  std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(GrpcServicesTest, ReflectionListsServices) {
  // ServerReflectionRequest{list_services: "*"}.
  const absl::StatusOr<std::string> services =
      Send("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
           "\x3a\x01*");
  ASSERT_TRUE(services.ok()) << services.status();
  EXPECT_THAT(*services, HasSubstr("assay.tests.Echo"));
  EXPECT_THAT(*services, HasSubstr("grpc.health.v1.Health"));
}

TEST_F(GrpcServicesTest, HealthServiceAnswersServing) {
  // HealthCheckResponse{status: SERVING}.
  EXPECT_EQ(Send("/grpc.health.v1.Health/Check", "").value_or("none"),
            "\x08\x01");
  server_->GetHealthCheckService()->SetServingStatus(false);
  EXPECT_EQ(Send("/grpc.health.v1.Health/Check", "").value_or("none"),
            "\x08\x02");
}

}  // namespace
}  // namespace assay::tests
