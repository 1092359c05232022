// Leases and the queue, over connections.
#include "rpc/tracker/service/tracker_service.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/security/signature.h"
#include "rpc/tracker/service/testing/test_callers.h"
#include "rpc/tracker/service/testing/test_tracker.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMillisecond = 1'000'000;

class TrackerServiceTest : public ::testing::Test {
 protected:
  // Asks for a lease and waits for it.
  LeaseTerms Acquire(const std::string& user, const std::string& ticket) {
    TestWait wait(port_, user, ticket);
    LeaseTerms terms;
    EXPECT_TRUE(wait.WaitForLease(&terms, &lease_))
        << wait.Wait().error_message();
    return terms;
  }

  TestTracker tracker_;
  const int port_ = tracker_.port();
  const TestStub stub_{port_};
  Lease lease_;  // of the last Acquire()
};

TEST_F(TrackerServiceTest, LendsADevice) {
  RegisteredDevice device(port_, "a");
  EXPECT_EQ(device.welcome().least_token(), 1);
  const LeaseTerms terms = Acquire("ann", "t1");
  EXPECT_EQ(terms.device(), "a");
  EXPECT_EQ(terms.user(), "ann");
  EXPECT_EQ(terms.token(), 1);
  EXPECT_EQ(terms.seconds(), 1);
  EXPECT_EQ(lease_.address(), "127.0.0.1:9");
  EXPECT_EQ(lease_.facts().fingerprint(), "cortex-a53");
  const auto keys =
      TrustedKeys::Parse(device.welcome().lease_key(), "lease_key");
  ASSERT_TRUE(keys.ok()) << keys.status();
  EXPECT_TRUE(
      keys->Verify(SignaturePurpose::kLease, lease_.terms(), lease_.signature())
          .ok());
  EXPECT_EQ(stub_.Listed("a").holder(), "ann");

  Lease renewed;
  ASSERT_TRUE(stub_.Renew("ann", terms, &renewed).ok());
  LeaseTerms renewed_terms;
  ASSERT_TRUE(renewed_terms.ParseFromString(renewed.terms()));
  EXPECT_EQ(renewed_terms.renewals(), 1);
  EXPECT_TRUE(keys->Verify(SignaturePurpose::kLease, renewed.terms(),
                           renewed.signature())
                  .ok());

  ASSERT_TRUE(stub_.Release("ann", terms).ok());
  EXPECT_TRUE(device.WaitForEnd(1));
  EXPECT_TRUE(stub_.Release("ann", terms).ok());
  EXPECT_EQ(stub_.Listed("a").state(), ListedDevice::FREE);
  const grpc::Status late = stub_.Renew("ann", terms, &renewed);
  EXPECT_EQ(late.error_code(), grpc::StatusCode::ABORTED);
  EXPECT_THAT(late.error_message(), HasSubstr("it was released"));
}

TEST_F(TrackerServiceTest, LeasesBelongToTheirUsers) {
  RegisteredDevice device(port_, "a");
  const LeaseTerms terms = Acquire("ann", "t1");
  Lease renewed;
  EXPECT_EQ(stub_.Renew("ben", terms, &renewed).error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(stub_.Release("ben", terms).error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  TestWait stolen(port_, "ben", "t1");
  EXPECT_EQ(stolen.Wait().error_code(), grpc::StatusCode::PERMISSION_DENIED);
}

TEST_F(TrackerServiceTest, StreamsThePlaceInTheQueue) {
  RegisteredDevice device(port_, "a");
  const LeaseTerms terms = Acquire("ann", "t1");
  // Kept alive by the test.
  std::thread keeper([&] {
    Lease lease;
    for (int i = 0; i < 100; ++i) {
      if (!stub_.Renew("ann", terms, &lease).ok()) return;
      Clock::Monotonic()->SleepNanos(50 * kMillisecond);
    }
  });
  TestWait first(port_, "ben", "t2");
  ASSERT_TRUE(first.WaitForPlace(1));
  TestWait second(port_, "ben", "t3");
  ASSERT_TRUE(second.WaitForPlace(2));
  EXPECT_EQ(second.place().ticket(), "t3");
  EXPECT_GT(second.place().wait_seconds(), 0);
  TestWait urgent(port_, "ben", "t4",
                  [](AcquireRequest& request) { request.set_priority(1); });
  ASSERT_TRUE(urgent.WaitForPlace(1));
  ASSERT_TRUE(second.WaitForPlace(3));
  ASSERT_TRUE(stub_.Release("ann", terms).ok());
  keeper.join();
  LeaseTerms lease;
  ASSERT_TRUE(urgent.WaitForLease(&lease));
  EXPECT_EQ(lease.token(), 2);
  ASSERT_TRUE(stub_.Release("ben", lease).ok());
  ASSERT_TRUE(first.WaitForLease(&lease));
  EXPECT_EQ(lease.token(), 3);
}

TEST_F(TrackerServiceTest, ACancelledRequestIsNotServedButKeepsItsPlace) {
  RegisteredDevice device(port_, "a");
  ASSERT_TRUE(stub_.Quarantine("a", "repair").ok());
  auto first = std::make_unique<TestWait>(port_, "ann", "t1");
  ASSERT_TRUE(first->WaitForPlace(1));
  TestWait second(port_, "ann", "t2");
  ASSERT_TRUE(second.WaitForPlace(2));
  first.reset();
  ASSERT_TRUE(second.WaitForPlace(1));
  EXPECT_EQ(stub_.List().queue_size(), 1);
  TestWait again(port_, "ann", "t1");
  ASSERT_TRUE(again.WaitForPlace(1));
  ASSERT_TRUE(second.WaitForPlace(2));
  again.Cancel();
  ASSERT_TRUE(second.WaitForPlace(1));
  ASSERT_TRUE(stub_.Quarantine("a", "").ok());
  LeaseTerms lease;
  EXPECT_TRUE(second.WaitForLease(&lease));
}

// A request can wait for a day.
TEST(TrackerServiceRevocationTest, UserWhoWasRevokedWhileWaitingGetsNoLease) {
  // No lease expires.
  TrackerService::Options options = TestTracker::ShortTimes();
  options.lease.lease_nanos = 3'600'000 * kMillisecond;
  const TestTracker tracker(options);
  RegisteredDevice device(tracker.port(), "a");
  LeaseTerms first;
  ASSERT_TRUE(TestWait(tracker.port(), "ann", "t1").WaitForLease(&first));
  TestWait waiting(tracker.port(), "ben", "t2");
  ASSERT_TRUE(waiting.WaitForPlace(1));
  const std::string text = ReadFile(tracker.tokens_path()).value();
  const size_t line = text.find("user ben ");
  ASSERT_NE(line, std::string::npos);
  ASSERT_TRUE(WriteFileAtomic(
                  tracker.tokens_path(),
                  text.substr(0, line) + text.substr(text.find('\n', line) + 1))
                  .ok());
  // The file is looked at every second.
  const TestStub stub(tracker.port());
  while (stub.Withdraw("ben", "other").error_code() !=
         grpc::StatusCode::UNAUTHENTICATED) {
    Clock::Monotonic()->SleepNanos(10'000'000);
  }
  ASSERT_TRUE(stub.Release("ann", first).ok());
  EXPECT_EQ(waiting.Wait().error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_TRUE(stub.WaitForState("a", ListedDevice::FREE));
}

TEST_F(TrackerServiceTest, ALaterCallReplacesTheOneWithItsTicket) {
  RegisteredDevice device(port_, "a");
  ASSERT_TRUE(stub_.Quarantine("a", "repair").ok());
  TestWait first(port_, "ann", "t1");
  ASSERT_TRUE(first.WaitForPlace(1));
  TestWait second(port_, "ann", "t1");
  EXPECT_EQ(first.Wait().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_THAT(first.Wait().error_message(), HasSubstr("`t1`"));
  ASSERT_TRUE(second.WaitForPlace(1));
  EXPECT_EQ(stub_.List().queue_size(), 1);
}

TEST_F(TrackerServiceTest, ATicketGetsItsLeaseAgain) {
  RegisteredDevice device(port_, "a");
  const LeaseTerms first = Acquire("ann", "t1");
  const LeaseTerms second = Acquire("ann", "t1");
  EXPECT_EQ(first.token(), second.token());
  EXPECT_GT(second.renewals(), first.renewals());
}

TEST_F(TrackerServiceTest, TheLeaseOfADeadClientExpires) {
  RegisteredDevice device(port_, "a");
  const LeaseTerms first = Acquire("ann", "t1");
  const int64_t start = MonotonicNanos();
  const LeaseTerms second = Acquire("ben", "t2");
  EXPECT_GT(second.token(), first.token());
  EXPECT_GT(MonotonicNanos() - start, 1000 * kMillisecond);
  EXPECT_TRUE(device.WaitForEnd(first.token()));
  Lease lease;
  const grpc::Status late = stub_.Renew("ann", first, &lease);
  EXPECT_EQ(late.error_code(), grpc::StatusCode::ABORTED);
  EXPECT_THAT(late.error_message(), HasSubstr("it expired"));
}

TEST_F(TrackerServiceTest, TheTimeToWaitIsLimited) {
  RegisteredDevice device(port_, "a");
  const LeaseTerms terms = Acquire("ann", "t1");
  TestWait at_once(port_, "ben", "t2", [](AcquireRequest& request) {
    request.set_wait_seconds(0);
  });
  const grpc::Status status = at_once.Wait();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_THAT(status.error_message(), HasSubstr("`rpi3b`"));
  EXPECT_EQ(stub_.List().queue_size(), 0);
}

TEST_F(TrackerServiceTest, UnknownKeysAreNotFound) {
  RegisteredDevice device(port_, "a");
  TestWait wait(port_, "ann", "t1",
                [](AcquireRequest& request) { request.set_key("rpi9"); });
  EXPECT_EQ(wait.Wait().error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(wait.Wait().error_message(), HasSubstr("rpi3b"));
}

TEST_F(TrackerServiceTest, ACallWithoutATicketGetsOne) {
  RegisteredDevice device(port_, "a");
  ASSERT_TRUE(stub_.Quarantine("a", "repair").ok());
  TestWait wait(port_, "ann", "");
  ASSERT_TRUE(wait.WaitForPlace(1));
  EXPECT_EQ(wait.place().ticket().size(), 32u);
}

TEST_F(TrackerServiceTest, AQuarantineBreaksTheLease) {
  RegisteredDevice device(port_, "a");
  const LeaseTerms terms = Acquire("ann", "t1");
  ASSERT_TRUE(stub_.Quarantine("a", "repair").ok());
  EXPECT_TRUE(device.WaitForEnd(terms.token()));
  Lease lease;
  const grpc::Status late = stub_.Renew("ann", terms, &lease);
  EXPECT_EQ(late.error_code(), grpc::StatusCode::ABORTED);
  EXPECT_THAT(late.error_message(), HasSubstr("quarantined"));
  EXPECT_EQ(stub_.Listed("a").reason(), "repair");
  EXPECT_EQ(stub_.Quarantine("x", "repair").error_code(),
            grpc::StatusCode::NOT_FOUND);
}

TEST_F(TrackerServiceTest, WithdrawEndsARequestOrItsLease) {
  RegisteredDevice device(port_, "a");
  const LeaseTerms terms = Acquire("ann", "t1");
  TestWait wait(port_, "ben", "t2");
  ASSERT_TRUE(wait.WaitForPlace(1));
  EXPECT_EQ(stub_.Withdraw("ann", "t2").error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(stub_.Withdraw("ben", "t2").ok());
  EXPECT_EQ(wait.Wait().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(stub_.Withdraw("ben", "t2").ok());
  EXPECT_EQ(stub_.Withdraw("ben", "t1").error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(stub_.Withdraw("ann", "t1").ok());
  EXPECT_TRUE(device.WaitForEnd(terms.token()));
}

// Clients give up while their lease is granted. Whatever is first, the device
// is free again at once, although a lease would last for an hour.
TEST(TrackerServiceRaceTest, ClientsThatGiveUpLeaveNoLease) {
  TrackerService::Options options = TestTracker::ShortTimes();
  options.lease.lease_nanos = 3'600'000 * kMillisecond;
  TestTracker tracker(options);
  const TestStub stub(tracker.port());
  RegisteredDevice device(tracker.port(), "a");
  for (int i = 0; i < 60; ++i) {
    const std::string ticket = "t" + std::to_string(i);
    TestWait wait(tracker.port(), "ann", ticket);
    Clock::Monotonic()->SleepNanos(i * kMillisecond / 20);
    wait.Cancel();
    wait.Wait();
    ASSERT_TRUE(stub.Withdraw("ann", ticket).ok());
    ASSERT_TRUE(stub.WaitForState("a", ListedDevice::FREE)) << i;
  }
}

TEST_F(TrackerServiceTest, StopEndsAllStreamsAtOnce) {
  RegisteredDevice device(port_, "a");
  ASSERT_TRUE(stub_.Quarantine("a", "repair").ok());
  TestWait wait(port_, "ann", "t1");
  ASSERT_TRUE(wait.WaitForPlace(1));
  const int64_t start = MonotonicNanos();
  tracker_.service().Stop();
  EXPECT_EQ(wait.Wait().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(device.Wait().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(stub_.Quarantine("a", "").error_code(),
            grpc::StatusCode::UNAVAILABLE);
  tracker_.listener().Stop(1000 * kMillisecond);
  EXPECT_LT(MonotonicNanos() - start, 1500 * kMillisecond);
}

// More clients than devices, who come and go.
TEST_F(TrackerServiceTest, ManyClientsShareTheDevices) {
  RegisteredDevice a(port_, "a"), b(port_, "b");
  std::vector<std::thread> clients;
  std::atomic<int> leases{0};
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&, i] {
      const TestStub stub(port_);
      const std::string user = i % 2 == 0 ? "ann" : "ben";
      for (int k = 0; k < 10; ++k) {
        TestWait wait(port_, user,
                      "t" + std::to_string(i) + "-" + std::to_string(k));
        LeaseTerms lease;
        ASSERT_TRUE(wait.WaitForLease(&lease)) << wait.Wait().error_message();
        ++leases;
        ASSERT_TRUE(stub.Release(user, lease).ok());
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(leases, 80);
  EXPECT_EQ(stub_.List().queue_size(), 0);
}

}  // namespace
}  // namespace assay::rpc
