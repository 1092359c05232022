// The registration of devices, over connections.
#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/tracker/service/testing/test_callers.h"
#include "rpc/tracker/service/testing/test_tracker.h"
#include "rpc/tracker/service/tracker_service.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMillisecond = 1'000'000;

TEST(TrackerDevicesTest, AHeartbeatThatIsMissingLosesTheDevice) {
  TrackerService::Options options = TestTracker::ShortTimes();
  options.lease.lost_nanos = 400 * kMillisecond;
  TestTracker tracker(options);
  const TestStub stub(tracker.port());
  RegisteredDevice device(tracker.port(), "a");
  EXPECT_TRUE(stub.WaitForState("a", ListedDevice::FREE));
  device.StopHeartbeats();
  EXPECT_TRUE(stub.WaitForState("a", ListedDevice::LOST));
  RegisteredDevice again(tracker.port(), "a");
  EXPECT_TRUE(stub.WaitForState("a", ListedDevice::FREE));
}

class TrackerDevicesServiceTest : public ::testing::Test {
 protected:
  LeaseTerms Acquire() {
    TestWait wait(port_, "ann", "t1");
    LeaseTerms terms;
    EXPECT_TRUE(wait.WaitForLease(&terms)) << wait.Wait().error_message();
    return terms;
  }

  TestTracker tracker_;
  const int port_ = tracker_.port();
  const TestStub stub_{port_};
};

TEST_F(TrackerDevicesServiceTest, ADeviceThatLeavesIsLostAtOnce) {
  RegisteredDevice device(port_, "a");
  const LeaseTerms lease = Acquire();
  EXPECT_TRUE(device.Leave().ok());
  EXPECT_TRUE(stub_.WaitForState("a", ListedDevice::LOST));
  Lease renewed;
  const grpc::Status late = stub_.Renew("ann", lease, &renewed);
  EXPECT_EQ(late.error_code(), grpc::StatusCode::ABORTED);
  EXPECT_THAT(late.error_message(), HasSubstr("the device was lost"));
}

TEST_F(TrackerDevicesServiceTest, ADeviceThatComesBackKeepsItsLease) {
  LeaseTerms lease;
  {
    RegisteredDevice device(port_, "a");
    lease = Acquire();
  }
  RegisteredDevice again(port_, "a");
  EXPECT_EQ(again.welcome().least_token(), lease.token());
  Lease renewed;
  EXPECT_TRUE(stub_.Renew("ann", lease, &renewed).ok());
}

TEST_F(TrackerDevicesServiceTest, ANewStreamReplacesTheEarlierOne) {
  RegisteredDevice first(port_, "a");
  Hello hello = HelloOf("a");
  hello.set_address("127.0.0.1:10");
  RegisteredDevice second(port_, hello, TokenOf("a"));
  const grpc::Status status = first.Wait();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::ABORTED);
  EXPECT_THAT(status.error_message(), HasSubstr("`a`"));
  EXPECT_EQ(stub_.Listed("a").state(), ListedDevice::FREE);
  TestWait wait(port_, "ann", "t1");
  LeaseTerms terms;
  Lease lease;
  ASSERT_TRUE(wait.WaitForLease(&terms, &lease));
  EXPECT_EQ(lease.address(), "127.0.0.1:10");
  ASSERT_TRUE(stub_.Release("ann", terms).ok());
  EXPECT_TRUE(second.WaitForEnd(terms.token()));
}

TEST_F(TrackerDevicesServiceTest, AnIllDeviceIsInQuarantine) {
  RegisteredDevice device(port_, "a");
  const LeaseTerms lease = Acquire();
  device.SetProblem("the canary is slow");
  EXPECT_TRUE(stub_.WaitForState("a", ListedDevice::QUARANTINED));
  EXPECT_TRUE(device.WaitForEnd(lease.token()));
  const ListedDevice listed = stub_.Listed("a");
  EXPECT_EQ(listed.reason(), "health: the canary is slow");
  EXPECT_EQ(listed.device_state().temperature_celsius(), 48);
  EXPECT_EQ(listed.facts().fingerprint(), "cortex-a53");
  device.SetProblem("");
  EXPECT_TRUE(stub_.WaitForState("a", ListedDevice::FREE));
}

TEST_F(TrackerDevicesServiceTest, TheTokenIsOfTheDevice) {
  RegisteredDevice other(port_, HelloOf("a"), TokenOf("b"));
  const grpc::Status status = other.Wait();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(status.error_message(),
            "the token is of the device `b`, not of `a`");
  RegisteredDevice user(port_, HelloOf("ann"), TokenOf("ann"));
  EXPECT_EQ(user.Wait().error_code(), grpc::StatusCode::PERMISSION_DENIED);
  RegisteredDevice nobody(port_, HelloOf("x"), TokenOf("x"));
  EXPECT_EQ(nobody.Wait().error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(stub_.List().devices_size(), 0);
}

TEST_F(TrackerDevicesServiceTest, AWithdrawnTokenEndsTheStream) {
  RegisteredDevice device(port_, "a");
  const auto text = ReadFile(tracker_.tokens_path());
  ASSERT_TRUE(text.ok());
  const size_t start = text->find("device a ");
  const size_t end = text->find('\n', start) + 1;
  ASSERT_TRUE(WriteFileAtomic(tracker_.tokens_path(),
                              text->substr(0, start) + text->substr(end))
                  .ok());
  // The file is looked at once a second.
  const int64_t limit = MonotonicNanos() + 8'000 * kMillisecond;
  while (stub_.Listed("a").state() == ListedDevice::FREE &&
         MonotonicNanos() < limit) {
    Clock::Monotonic()->SleepNanos(20 * kMillisecond);
  }
  EXPECT_EQ(device.Wait().error_code(), grpc::StatusCode::UNAUTHENTICATED);
}

}  // namespace
}  // namespace assay::rpc
