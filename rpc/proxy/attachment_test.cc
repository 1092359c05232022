// Devices that attach themselves to a proxy, leave and come back, with gRPC
// over loopback.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"
#include "rpc/proto/device.grpc.pb.h"
#include "rpc/proxy/proxy_agent.h"
#include "rpc/proxy/testing/test_proxy.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;

class AttachmentTest : public ::testing::Test {
 protected:
  // Calls a device, which does not answer. End the call with `join`.
  std::thread Hang(const TestProxy::Board& board, grpc::Status* status) {
    const int64_t before = board.device.running();
    std::thread client(
        [this, &board, status] { *status = proxy_.Find(board.name, "hang"); });
    EXPECT_TRUE(WaitFor([&] { return board.device.running() == before + 1; }));
    return client;
  }

  TestProxy proxy_;
};

TEST_F(AttachmentTest, DevicesHaveTheirOwnCalls) {
  TestProxy::Board& a = proxy_.AddBoard("a");
  TestProxy::Board& b = proxy_.AddBoard("b");
  ASSERT_TRUE(proxy_.WaitUntilAttached(a) && proxy_.WaitUntilAttached(b));
  EXPECT_EQ(proxy_.board().devices(), 2);
  EXPECT_TRUE(proxy_.Find("a", "x").ok());
  EXPECT_TRUE(proxy_.Find("b", "x").ok());
  EXPECT_TRUE(proxy_.Find("b", "x").ok());
  EXPECT_EQ(a.device.calls(), 1);
  EXPECT_EQ(b.device.calls(), 2);
}

TEST_F(AttachmentTest, ADeviceThatLeavesEndsItsCalls) {
  TestProxy::Board& a = proxy_.AddBoard("a");
  TestProxy::Board& b = proxy_.AddBoard("b");
  ASSERT_TRUE(proxy_.WaitUntilAttached(a) && proxy_.WaitUntilAttached(b));
  grpc::Status status_a;
  grpc::Status status_b;
  std::thread client_a = Hang(a, &status_a);
  std::thread client_b = Hang(b, &status_b);

  const int64_t start = MonotonicNanos();
  a.agent->Stop();
  EXPECT_LT(MonotonicNanos() - start, kSecond);
  client_a.join();
  EXPECT_EQ(status_a.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(status_a.error_message(), HasSubstr("lost"));
  EXPECT_TRUE(WaitFor([&] { return a.device.cancelled() == 1; }));
  EXPECT_TRUE(WaitFor([&] { return proxy_.board().devices() == 1; }));
  EXPECT_EQ(proxy_.Find("a", "x").error_code(), grpc::StatusCode::UNAVAILABLE);

  EXPECT_EQ(b.device.running(), 1);
  EXPECT_TRUE(proxy_.Find("b", "x").ok());
  b.agent->Stop();
  client_b.join();
  EXPECT_EQ(status_b.error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(AttachmentTest, ADeviceComesBack) {
  TestProxy::Board& board = proxy_.AddBoard("a");
  ASSERT_TRUE(proxy_.WaitUntilAttached(board));
  for (int i = 0; i < 3; ++i) {
    board.agent = proxy_.StartAgent(board);
    ASSERT_TRUE(proxy_.WaitUntilAttached(board));
    EXPECT_TRUE(proxy_.Find("a", "x").ok());
  }
}

TEST_F(AttachmentTest, DeviceThatIsRevokedIsDetached) {
  TestProxy::Board& a = proxy_.AddBoard("a");
  TestProxy::Board& b = proxy_.AddBoard("b");
  ASSERT_TRUE(proxy_.WaitUntilAttached(a) && proxy_.WaitUntilAttached(b));
  proxy_.Revoke("a");
  EXPECT_TRUE(WaitFor([&] { return proxy_.board().devices() == 1; }));
  EXPECT_EQ(proxy_.Find("a", "x").error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(proxy_.Find("b", "x").ok());
}

TEST_F(AttachmentTest, ASecondAgentReplacesTheFirst) {
  TestProxy::Board& board = proxy_.AddBoard("a");
  ASSERT_TRUE(proxy_.WaitUntilAttached(board));
  grpc::Status status;
  std::thread client = Hang(board, &status);
  const auto second = proxy_.StartAgent(board);
  EXPECT_TRUE(WaitFor([&] { return second->attached(); }));
  client.join();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(status.error_message(), HasSubstr("attached itself again"));
  board.agent->Stop();
  EXPECT_TRUE(WaitFor([&] { return proxy_.Find("a", "x").ok(); }));
  EXPECT_EQ(proxy_.board().devices(), 1);
}

TEST_F(AttachmentTest, AnotherLeaseKeyAttachesTheDeviceAgain) {
  TestProxy::Board& board = proxy_.AddBoard("a");
  ASSERT_TRUE(proxy_.WaitUntilAttached(board));
  const SigningTracker other;
  board.agent->SetLeaseKey(other.public_pem());
  EXPECT_TRUE(WaitFor([&] {
    return proxy_.Find("a", "x").error_code() ==
           grpc::StatusCode::UNAUTHENTICATED;
  }));
  board.agent->SetLeaseKey(proxy_.tracker().public_pem());
  EXPECT_TRUE(WaitFor([&] { return proxy_.Find("a", "x").ok(); }));
}

TEST_F(AttachmentTest, AgentsConnectAgainToAProxyThatWasRestarted) {
  TestProxy::Board& board = proxy_.AddBoard("a");
  ASSERT_TRUE(proxy_.WaitUntilAttached(board));
  grpc::Status status;
  std::thread client = Hang(board, &status);
  const int64_t start = MonotonicNanos();
  proxy_.Stop();
  EXPECT_LT(MonotonicNanos() - start, kSecond);
  client.join();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(WaitFor([&] { return board.device.cancelled() == 1; }));
  EXPECT_TRUE(WaitFor([&] { return !board.agent->attached(); }));
  proxy_.Start();
  EXPECT_TRUE(WaitFor([&] { return proxy_.Find("a", "x").ok(); }));
}

TEST_F(AttachmentTest, AnAgentThatNeverAttachesStops) {
  TestProxy::Board& board = proxy_.AddBoard("a");
  proxy_.Stop();
  Clock::Monotonic()->SleepNanos(50'000'000);
  const int64_t start = MonotonicNanos();
  board.agent->Stop();
  board.agent->SetLeaseKey("late");
  board.agent->Stop();
  EXPECT_LT(MonotonicNanos() - start, kSecond);
}

TEST_F(AttachmentTest, AddressesAreChecked) {
  ProxyAgentOptions options;
  options.transport.plain_text = true;
  for (const char* proxy : {"", "x", "127.0.0.1:1/device"}) {
    options.proxy = proxy;
    const auto agent = ProxyAgent::Start(options, nullptr);
    EXPECT_TRUE(absl::IsInvalidArgument(agent.status())) << agent.status();
  }
}

TEST(AttachmentLimitTest, CallsWaitForAStreamAndNotForEver) {
  ProxyLimits limits;
  limits.wait_nanos = kSecond / 4;
  limits.streams_per_device = 2;
  TestProxy proxy(limits);
  TestProxy::Board& board = proxy.AddBoard("a");
  ASSERT_TRUE(proxy.WaitUntilAttached(board));
  grpc::Status first;
  grpc::Status second;
  std::thread a([&] { first = proxy.Find("a", "hang"); });
  std::thread b([&] { second = proxy.Find("a", "hang"); });
  EXPECT_TRUE(WaitFor([&] { return board.device.running() == 2; }));
  const int64_t start = MonotonicNanos();
  const grpc::Status third = proxy.Find("a", "x");
  EXPECT_GE(MonotonicNanos() - start, kSecond / 4);
  EXPECT_EQ(third.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(third.error_message(), HasSubstr("not taken the call"));
  board.agent->Stop();
  a.join();
  b.join();
}

TEST(AttachmentLimitTest, IdleCallsEnd) {
  ProxyLimits limits;
  limits.idle_nanos = kSecond / 5;
  TestProxy proxy(limits);
  TestProxy::Board& board = proxy.AddBoard("a");
  ASSERT_TRUE(proxy.WaitUntilAttached(board));
  const grpc::Status status = proxy.Find("a", "hang");
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(WaitFor([&] { return board.device.cancelled() == 1; }));
  EXPECT_TRUE(proxy.Find("a", "x").ok());
}

TEST(AttachmentLimitTest, CallsOfAUserAreLimited) {
  ProxyLimits limits;
  limits.calls_per_user = 1;
  TestProxy proxy(limits);
  TestProxy::Board& board = proxy.AddBoard("a");
  ASSERT_TRUE(proxy.WaitUntilAttached(board));
  grpc::Status status;
  std::thread client([&] { status = proxy.Find("a", "hang"); });
  EXPECT_TRUE(WaitFor([&] { return board.device.running() == 1; }));
  EXPECT_EQ(proxy.Find("a", "x").error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
  board.agent->Stop();
  client.join();
}

}  // namespace
}  // namespace assay::rpc
