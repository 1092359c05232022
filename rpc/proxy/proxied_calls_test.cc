// Calls of clients through a proxy, with gRPC over loopback.
#include <dirent.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "gtest/gtest.h"
#include "rpc/names/metadata.h"
#include "rpc/proto/device.grpc.pb.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/proxy/testing/test_proxy.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr int64_t kMiB = 1 << 20;
constexpr int64_t kSecond = 1'000'000'000;

class ProxiedCallsTest : public ::testing::Test {
 protected:
  ProxiedCallsTest() : board_(proxy_.AddBoard("a")) {
    EXPECT_TRUE(proxy_.WaitUntilAttached(board_));
  }

  // Returns how much a counter has grown until it stands still.
  static int64_t Settled(const std::function<int64_t()>& count) {
    int64_t last = -1;
    while (last != count()) {
      last = count();
      Clock::Monotonic()->SleepNanos(200'000'000);
    }
    return last;
  }

  TestProxy proxy_;
  TestProxy::Board& board_;
  ProxiedDevice& device_ = board_.device;
  const std::unique_ptr<Device::Stub> stub_ = Device::NewStub(proxy_.channel());
};

TEST_F(ProxiedCallsTest, UnaryCallsPass) {
  grpc::ClientContext context;
  proxy_.Prepare("a", seconds(5), &context);
  // A token that is sent by mistake is not passed to the device.
  AddToken(proxy_.token("ann"), &context);
  FindBlobsRequest request;
  request.add_digests("abc");
  request.add_digests(std::string(1 << 20, 'x'));
  FindBlobsAnswer answer;
  const grpc::Status status = stub_->FindBlobs(&context, request, &answer);
  ASSERT_TRUE(status.ok()) << status.error_message();
  ASSERT_EQ(answer.blobs_size(), 2);
  EXPECT_EQ(answer.blobs(0).offset(), 3);
  EXPECT_EQ(answer.blobs(1).offset(), 1 << 20);

  const auto metadata = device_.metadata();
  EXPECT_EQ(metadata.count(kLeaseMetadata), 1);
  EXPECT_EQ(metadata.count("authorization"), 0);
  EXPECT_EQ(metadata.count(kDeviceMetadata), 0);
  EXPECT_GT(device_.left_nanos(), 4 * kSecond);
  EXPECT_LE(device_.left_nanos(), 5 * kSecond + kSecond / 100);
}

TEST_F(ProxiedCallsTest, StatusAndMessagePass) {
  const grpc::Status status = proxy_.Find("a", "fail");
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(status.error_message(), kFailure);
}

TEST_F(ProxiedCallsTest, MethodsThatTheDeviceLacksAreUnimplemented) {
  grpc::ClientContext context;
  proxy_.Prepare("a", seconds(5), &context);
  CloseAnswer answer;
  EXPECT_EQ(stub_->Close(&context, {}, &answer).error_code(),
            grpc::StatusCode::UNIMPLEMENTED);
}

TEST_F(ProxiedCallsTest, UploadsPass) {
  grpc::ClientContext context;
  proxy_.Prepare("a", seconds(10), &context);
  PutBlobAnswer answer;
  const auto writer = stub_->PutBlob(&context, &answer);
  PutBlobRequest request;
  request.set_bytes(std::string(kMiB, 'x'));
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(writer->Write(request));
  EXPECT_TRUE(writer->WritesDone());
  const grpc::Status status = writer->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(device_.bytes(), 40 * kMiB);
}

TEST_F(ProxiedCallsTest, AStreamOfAnswersPasses) {
  grpc::ClientContext context;
  proxy_.Prepare("a", seconds(10), &context);
  RunBlockRequest request;
  request.set_min_sample_nanos(500);
  request.set_flush_cache_bytes(10'000);
  const auto reader = stub_->RunBlock(&context, request);
  RunBlockAnswer answer;
  int64_t messages = 0;
  while (reader->Read(&answer)) {
    ++messages;
    EXPECT_EQ(answer.outputs().size(), 10'000);
  }
  const grpc::Status status = reader->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(messages, 500);
}

TEST_F(ProxiedCallsTest, AStatusEndsAnUpload) {
  const int64_t start = MonotonicNanos();
  grpc::ClientContext context;
  proxy_.Prepare("a", seconds(10), &context);
  PutBlobAnswer answer;
  const auto writer = stub_->PutBlob(&context, &answer);
  PutBlobRequest request;
  request.set_digest("stop");
  request.set_bytes(std::string(kMiB, 'x'));
  for (int i = 0; i < 100 && writer->Write(request); ++i) {
  }
  EXPECT_EQ(writer->Finish().error_code(), grpc::StatusCode::DATA_LOSS);
  EXPECT_LT(MonotonicNanos() - start, 5 * kSecond);
}

TEST_F(ProxiedCallsTest, ASlowClientSlowsDownTheDevice) {
  constexpr int64_t kMessages = 4000;
  constexpr int64_t kBytes = 64 << 10;
  grpc::ClientContext context;
  proxy_.Prepare("a", seconds(30), &context);
  RunBlockRequest request;
  request.set_min_sample_nanos(kMessages);
  request.set_flush_cache_bytes(kBytes);
  const auto reader = stub_->RunBlock(&context, request);
  RunBlockAnswer answer;
  ASSERT_TRUE(reader->Read(&answer));
  // gRPC and the sockets of both connections hold some; the device would send
  // 250 MiB.
  EXPECT_LT(Settled([&] { return device_.messages(); }) * kBytes, 40 * kMiB);
  EXPECT_EQ(device_.running(), 1);
  for (int64_t i = 1; i < kMessages; ++i) {
    ASSERT_TRUE(reader->Read(&answer)) << i;
  }
  EXPECT_FALSE(reader->Read(&answer));
  EXPECT_TRUE(reader->Finish().ok());
}

TEST_F(ProxiedCallsTest, ASlowDeviceSlowsDownTheClient) {
  grpc::ClientContext context;
  proxy_.Prepare("a", seconds(30), &context);
  PutBlobAnswer answer;
  const auto writer = stub_->PutBlob(&context, &answer);
  std::atomic<int64_t> sent{0};
  std::thread client([&] {
    PutBlobRequest request;
    request.set_digest("slow");
    request.set_bytes(std::string(kMiB, 'x'));
    while (sent < 200 && writer->Write(request)) ++sent;
  });
  EXPECT_LT(Settled([&] { return sent.load(); }), 40);
  context.TryCancel();
  client.join();
  EXPECT_EQ(writer->Finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(WaitFor([&] { return device_.cancelled() == 1; }));
}

TEST_F(ProxiedCallsTest, CancellationReachesTheDevice) {
  grpc::ClientContext context;
  proxy_.Prepare("a", seconds(30), &context);
  FindBlobsRequest request;
  request.add_digests("hang");
  FindBlobsAnswer answer;
  grpc::Status status;
  std::thread client(
      [&] { status = stub_->FindBlobs(&context, request, &answer); });
  EXPECT_TRUE(WaitFor([&] { return device_.running() == 1; }));
  const int64_t start = MonotonicNanos();
  context.TryCancel();
  EXPECT_TRUE(WaitFor([&] { return device_.cancelled() == 1; }));
  EXPECT_LT(MonotonicNanos() - start, 2 * kSecond);
  client.join();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(WaitFor([&] { return proxy_.board().calls() == 0; }));
}

TEST_F(ProxiedCallsTest, AnUploadThatIsCutIsNotComplete) {
  grpc::ClientContext context;
  proxy_.Prepare("a", seconds(30), &context);
  PutBlobAnswer answer;
  const auto writer = stub_->PutBlob(&context, &answer);
  PutBlobRequest request;
  request.set_bytes("x");
  EXPECT_TRUE(writer->Write(request));
  EXPECT_TRUE(WaitFor([&] { return device_.bytes() == 1; }));
  context.TryCancel();
  writer->Finish();
  // The device must not take what it has for the whole upload.
  EXPECT_TRUE(WaitFor([&] { return device_.cancelled() == 1; }));
}

TEST_F(ProxiedCallsTest, AClientThatIsLostCancelsTheCall) {
  auto channel = proxy_.NewChannel();
  auto context = std::make_unique<grpc::ClientContext>();
  proxy_.Prepare("a", seconds(30), context.get());
  PutBlobAnswer answer;
  auto writer = Device::NewStub(channel)->PutBlob(context.get(), &answer);
  PutBlobRequest request;
  request.set_digest("slow");
  EXPECT_TRUE(writer->Write(request));
  EXPECT_TRUE(WaitFor([&] { return device_.running() == 1; }));
  writer.reset();
  context.reset();
  channel.reset();
  EXPECT_TRUE(WaitFor([&] { return device_.cancelled() == 1; }));
  EXPECT_TRUE(WaitFor([&] { return proxy_.board().calls() == 0; }));
}

TEST_F(ProxiedCallsTest, TheDeadlineReachesTheDevice) {
  const int64_t start = MonotonicNanos();
  grpc::ClientContext context;
  proxy_.Prepare("a", milliseconds(300), &context);
  FindBlobsRequest request;
  request.add_digests("hang");
  FindBlobsAnswer answer;
  EXPECT_EQ(stub_->FindBlobs(&context, request, &answer).error_code(),
            grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_LE(device_.left_nanos(), 320'000'000);  // gRPC rounds
  EXPECT_TRUE(WaitFor([&] { return device_.cancelled() == 1; }));
  EXPECT_LT(MonotonicNanos() - start, 2 * kSecond);
}

TEST_F(ProxiedCallsTest, MessagesThatAreTooLargeAreRefused) {
  // Larger than the proxy passes, and larger than gRPC accepts.
  for (const int64_t size : {2 * kMiB - 500, 3 * kMiB}) {
    const auto stub = Device::NewStub(grpc::CreateChannel(
        proxy_.address(), grpc::InsecureChannelCredentials()));
    grpc::ClientContext context;
    proxy_.Prepare("a", seconds(5), &context);
    PutBlobAnswer answer;
    const auto writer = stub->PutBlob(&context, &answer);
    PutBlobRequest request;
    request.set_bytes(std::string(static_cast<size_t>(size), 'x'));
    writer->Write(request);
    writer->WritesDone();
    EXPECT_EQ(writer->Finish().error_code(),
              grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_TRUE(WaitFor([&] { return device_.running() == 0; }));
  }
  EXPECT_EQ(device_.bytes(), 0);
}

TEST_F(ProxiedCallsTest, SeveralClientsCallAtOnce) {
  grpc::ClientContext hanging;
  proxy_.Prepare("a", seconds(30), &hanging);
  FindBlobsRequest request;
  request.add_digests("hang");
  FindBlobsAnswer answer;
  std::thread first([&] { stub_->FindBlobs(&hanging, request, &answer); });
  EXPECT_TRUE(WaitFor([&] { return device_.running() == 1; }));
  std::vector<std::thread> others;
  std::atomic<int> good{0};
  for (int i = 0; i < 6; ++i) {
    others.emplace_back([&] {
      const auto stub = Device::NewStub(proxy_.NewChannel());
      for (int64_t call = 0; call < 20; ++call) {
        grpc::ClientContext context;
        proxy_.Prepare("a", seconds(10), &context);
        FindBlobsRequest find;
        find.add_digests(std::string(static_cast<size_t>(call), 'x'));
        FindBlobsAnswer found;
        if (stub->FindBlobs(&context, find, &found).ok() &&
            found.blobs(0).offset() == call) {
          ++good;
        }
      }
    });
  }
  for (std::thread& other : others) other.join();
  EXPECT_EQ(good, 120);
  EXPECT_EQ(device_.running(), 1);
  hanging.TryCancel();
  first.join();
}

TEST_F(ProxiedCallsTest, AThousandCallsLeaveNothing) {
  const auto descriptors = [] {
    int64_t count = 0;
    DIR* const folder = opendir("/proc/self/fd");
    while (readdir(folder) != nullptr) ++count;
    closedir(folder);
    return count;
  };
  ASSERT_TRUE(proxy_.Find("a", "x").ok());
  const int64_t before = descriptors();
  for (int i = 0; i < 1000; ++i) {
    const grpc::Status status = proxy_.Find("a", i % 10 == 0 ? "fail" : "x");
    ASSERT_EQ(status.ok(), i % 10 != 0) << status.error_message();
  }
  EXPECT_EQ(device_.calls(), 1001);
  EXPECT_TRUE(WaitFor([&] { return proxy_.board().calls() == 0; }));
  EXPECT_TRUE(WaitFor([&] { return proxy_.board().streams() == 4; }));
  EXPECT_LE(descriptors(), before + 2);
}

TEST_F(ProxiedCallsTest, CallsWithoutAValidLeaseAreRefused) {
  const auto find = [&](const std::string& lease) {
    grpc::ClientContext context;
    PrepareContext({proxy_.address(), "a"}, seconds(5), &context);
    if (!lease.empty()) context.AddMetadata(kLeaseMetadata, lease);
    AddToken(proxy_.token("ann"), &context);
    FindBlobsAnswer answer;
    return stub_->FindBlobs(&context, {}, &answer).error_code();
  };
  const SigningTracker other;
  EXPECT_EQ(find(""), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(find("x"), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(find(other.Sign({"a", "ann"})), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(find(proxy_.tracker().Sign({"b", "ann"})),
            grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(find(proxy_.tracker().Sign({"a", "ann", 7})), grpc::StatusCode::OK);
  EXPECT_EQ(find(proxy_.tracker().Sign({"a", "ann", 6})),
            grpc::StatusCode::ABORTED);
  EXPECT_EQ(device_.calls(), 1);
}

TEST_F(ProxiedCallsTest, CallsThatNameNoDeviceOrDeadlineAreRefused) {
  const auto find = [&](const std::vector<std::string>& devices,
                        bool has_deadline) {
    grpc::ClientContext context;
    if (has_deadline) PrepareContext({}, seconds(5), &context);
    for (const std::string& device : devices) {
      context.AddMetadata(kDeviceMetadata, device);
    }
    context.AddMetadata(kLeaseMetadata, proxy_.tracker().Sign({"a", "ann"}));
    FindBlobsAnswer answer;
    return stub_->FindBlobs(&context, {}, &answer);
  };
  EXPECT_TRUE(find({"a"}, true).ok());
  EXPECT_EQ(find({}, true).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(find({"a", "a"}, true).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(find({"a"}, false).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(find({"zz"}, true).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(find({"zz"}, true).error_message(), HasSubstr("`zz`"));
}

TEST_F(ProxiedCallsTest, OtherServicesAreUnimplemented) {
  grpc::ClientContext context;
  proxy_.Prepare("a", seconds(5), &context);
  ListAnswer answer;
  EXPECT_EQ(Tracker::NewStub(proxy_.channel())
                ->List(&context, {}, &answer)
                .error_code(),
            grpc::StatusCode::UNIMPLEMENTED);
}

}  // namespace
}  // namespace assay::rpc
