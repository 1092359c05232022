// Callers that break the rules, over connections. The tracker answers each with
// a documented status, and serves others as before.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/status.h"
#include "gtest/gtest.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/tracker/service/testing/test_callers.h"
#include "rpc/tracker/service/testing/test_tracker.h"
#include "rpc/tracker/service/tracker_service.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"

namespace assay::rpc {
namespace {

using grpc::StatusCode;

TrackerService::Options SmallLimits() {
  TrackerService::Options options = TestTracker::ShortTimes();
  options.max_registrations = 2;
  options.max_waits = 3;
  options.lease.max_devices = 2;
  options.lease.max_requests = 4;
  options.lease.max_requests_per_user = 3;
  return options;
}

class TrackerHostileTest : public ::testing::Test {
 protected:
  // The tracker still lends the device.
  ~TrackerHostileTest() override {
    LeaseTerms lease;
    EXPECT_TRUE(TestWait(port_, "ann", "last").WaitForLease(&lease));
    EXPECT_TRUE(stub_.Release("ann", lease).ok());
  }

  StatusCode Acquire(const std::string& user,
                     const std::function<void(AcquireRequest&)>& change) {
    TestWait wait(port_, user, "t", [&](AcquireRequest& request) {
      request.set_wait_seconds(0);
      change(request);
    });
    return wait.Wait().error_code();
  }

  // Returns the code of a stream on which the messages are sent.
  StatusCode Register(const std::vector<FromDevice>& messages) {
    grpc::ClientContext context;
    PrepareTestCall("b", &context);
    const auto stream = stub_->Register(&context);
    for (const FromDevice& message : messages) stream->Write(message);
    ToDevice answer;
    while (stream->Read(&answer)) {
    }
    return stream->Finish().error_code();
  }

  static FromDevice MessageOf(const std::function<void(Hello&)>& change) {
    FromDevice message;
    *message.mutable_hello() = HelloOf("b");
    change(*message.mutable_hello());
    return message;
  }

  TestTracker tracker_{SmallLimits()};
  const int port_ = tracker_.port();
  const TestStub stub_{port_};
  RegisteredDevice device_{port_, "a"};
};

TEST_F(TrackerHostileTest, FieldsOfAcquireAreChecked) {
  for (const std::string& key :
       {std::string(), std::string("../etc/passwd"), std::string(100'000, 'x'),
        std::string("a\nb"), std::string("a;rm -rf /")}) {
    EXPECT_EQ(Acquire("ann", [&](auto& request) { request.set_key(key); }),
              StatusCode::INVALID_ARGUMENT);
    EXPECT_EQ(Acquire("ann", [&](auto& request) { request.set_ticket(key); }),
              key.empty() ? StatusCode::OK : StatusCode::INVALID_ARGUMENT);
  }
  for (const double wait :
       {-1.0, 1e300, std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(
        Acquire("ann", [&](auto& request) { request.set_wait_seconds(wait); }),
        StatusCode::INVALID_ARGUMENT);
  }
  for (const int priority : {-1, 101, std::numeric_limits<int>::max()}) {
    EXPECT_EQ(
        Acquire("ann", [&](auto& request) { request.set_priority(priority); }),
        StatusCode::INVALID_ARGUMENT);
  }
}

TEST_F(TrackerHostileTest, HighPrioritiesAreForAdministrators) {
  const auto high = [](AcquireRequest& request) { request.set_priority(51); };
  EXPECT_EQ(Acquire("ann", high), StatusCode::PERMISSION_DENIED);
  LeaseTerms lease;
  ASSERT_TRUE(TestWait(port_, "alice", "t", high).WaitForLease(&lease));
  EXPECT_TRUE(stub_.Release("alice", lease).ok());
}

TEST_F(TrackerHostileTest, RolesAreChecked) {
  const auto none = [](AcquireRequest&) {};
  EXPECT_EQ(Acquire("a", none), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(Acquire("eve", none), StatusCode::UNAUTHENTICATED);
  for (const char* caller : {"ann", "a", "eve"}) {
    grpc::ClientContext context;
    PrepareTestCall(caller, &context);
    QuarantineRequest request;
    request.set_device("a");
    request.set_reason("mine");
    QuarantineAnswer answer;
    EXPECT_EQ(stub_->Quarantine(&context, request, &answer).error_code(),
              caller == std::string("eve") ? StatusCode::UNAUTHENTICATED
                                           : StatusCode::PERMISSION_DENIED);
  }
  EXPECT_EQ(stub_.Listed("a").state(), ListedDevice::FREE);
}

TEST_F(TrackerHostileTest, CallsNeedADeadline) {
  grpc::ClientContext context;
  AddToken(TokenOf("ann"), &context);
  ListAnswer answer;
  EXPECT_EQ(stub_->List(&context, ListRequest(), &answer).error_code(),
            StatusCode::INVALID_ARGUMENT);
  grpc::ClientContext acquire_context;
  AddToken(TokenOf("ann"), &acquire_context);
  AcquireRequest request;
  request.set_key("rpi3b");
  AcquireAnswer lease;
  const auto stream = stub_->Acquire(&acquire_context, request);
  EXPECT_FALSE(stream->Read(&lease));
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(TrackerHostileTest, NamesOfLeasesAreChecked) {
  for (const int64_t token : {int64_t{0}, int64_t{-1}}) {
    LeaseTerms lease;
    lease.set_device("a");
    lease.set_token(token);
    EXPECT_EQ(stub_.Release("ann", lease).error_code(),
              StatusCode::INVALID_ARGUMENT);
    Lease renewed;
    EXPECT_EQ(stub_.Renew("ann", lease, &renewed).error_code(),
              StatusCode::INVALID_ARGUMENT);
  }
  LeaseTerms unknown;
  unknown.set_device("a");
  unknown.set_token(std::numeric_limits<int64_t>::max());
  Lease renewed;
  EXPECT_EQ(stub_.Renew("ann", unknown, &renewed).error_code(),
            StatusCode::ABORTED);
  EXPECT_EQ(stub_.Withdraw("ann", "a b").error_code(),
            StatusCode::INVALID_ARGUMENT);
}

TEST_F(TrackerHostileTest, MessagesOfDevicesAreChecked) {
  const FromDevice good = MessageOf([](Hello&) {});
  FromDevice heartbeat;
  heartbeat.mutable_heartbeat();
  FromDevice large = heartbeat;
  large.mutable_heartbeat()->mutable_health()->set_problem(
      std::string(100'000, 'x'));
  const std::vector<std::vector<FromDevice>> streams = {
      {FromDevice()},
      {heartbeat},
      {good, good},
      {good, FromDevice()},
      {good, large},
      {MessageOf([](Hello& hello) { hello.set_key(""); })},
      {MessageOf([](Hello& hello) { hello.set_key("../x"); })},
      {MessageOf([](Hello& hello) { hello.set_device("b\n"); })},
      {MessageOf([](Hello& hello) { hello.set_address("unix:/x"); })},
      {MessageOf([](Hello& hello) { hello.set_address("localhost:99999"); })},
      {MessageOf([](Hello& hello) {
        hello.mutable_facts()->set_board(std::string(100'000, 'x'));
      })},
  };
  for (size_t i = 0; i < streams.size(); ++i) {
    StatusCode code = StatusCode::RESOURCE_EXHAUSTED;
    // The tracker may not have noticed the end of the earlier streams yet.
    for (int k = 0; k < 1000 && code == StatusCode::RESOURCE_EXHAUSTED; ++k) {
      code = Register(streams[i]);
    }
    EXPECT_EQ(code, StatusCode::INVALID_ARGUMENT) << i;
  }
  FromDevice huge = MessageOf([](Hello& hello) {
    hello.mutable_facts()->set_board(std::string(3 << 20, 'x'));
  });
  EXPECT_EQ(Register({huge}), StatusCode::RESOURCE_EXHAUSTED);
}

// Streams without a message cost memory, too.
TEST_F(TrackerHostileTest, StreamsOfADeviceAreLimited) {
  std::atomic<int> refused{0}, open{0};
  std::vector<std::thread> streams;
  for (int i = 0; i < 5; ++i) {
    streams.emplace_back([&] {
      grpc::ClientContext context;
      PrepareContext(Address(), std::chrono::milliseconds(500), &context);
      AddToken(TokenOf("b"), &context);
      const auto stream = stub_->Register(&context);
      ToDevice answer;
      EXPECT_FALSE(stream->Read(&answer));
      const StatusCode code = stream->Finish().error_code();
      if (code == StatusCode::RESOURCE_EXHAUSTED) ++refused;
      if (code == StatusCode::DEADLINE_EXCEEDED) ++open;
    });
  }
  for (std::thread& stream : streams) stream.join();
  EXPECT_EQ(open, 2);
  EXPECT_EQ(refused, 3);
}

TEST_F(TrackerHostileTest, DevicesAreLimited) {
  RegisteredDevice b(port_, "b");
  EXPECT_TRUE(stub_.WaitForState("b", ListedDevice::FREE));
  RegisteredDevice c(port_, "c");
  EXPECT_EQ(c.Wait().error_code(), StatusCode::RESOURCE_EXHAUSTED);
  ASSERT_TRUE(b.Leave().ok());
}

TEST_F(TrackerHostileTest, RequestsAreLimited) {
  ASSERT_TRUE(stub_.Quarantine("a", "repair").ok());
  std::vector<std::unique_ptr<TestWait>> waits;
  for (int i = 0; i < 3; ++i) {
    waits.push_back(
        std::make_unique<TestWait>(port_, "ann", absl::StrCat("t", i)));
    ASSERT_TRUE(waits.back()->WaitForPlace(i + 1));
  }
  EXPECT_EQ(TestWait(port_, "ann", "t3").Wait().error_code(),
            StatusCode::RESOURCE_EXHAUSTED);
  waits.push_back(std::make_unique<TestWait>(port_, "ben", "t4"));
  // Before the second request of ann.
  ASSERT_TRUE(waits.back()->WaitForPlace(2));
  EXPECT_EQ(TestWait(port_, "ben", "t5").Wait().error_code(),
            StatusCode::RESOURCE_EXHAUSTED);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(stub_.Withdraw("ann", absl::StrCat("t", i)).ok());
  }
  ASSERT_TRUE(stub_.Withdraw("ben", "t4").ok());
  ASSERT_TRUE(stub_.Quarantine("a", "").ok());
}

// The device floods the tracker and does not read what it is told.
TEST_F(TrackerHostileTest, AFloodOfHeartbeatsDisturbsNobody) {
  grpc::ClientContext context;
  PrepareTestCall("b", &context);
  const auto stream = stub_->Register(&context);
  stream->Write(MessageOf([](Hello& hello) { hello.set_key("flood"); }));
  FromDevice heartbeat;
  heartbeat.mutable_heartbeat()->mutable_health()->set_problem(
      std::string(1000, 'x'));
  for (int i = 0; i < 20'000; ++i) {
    if (!stream->Write(heartbeat)) break;
  }
  const auto start = std::chrono::steady_clock::now();
  LeaseTerms lease;
  ASSERT_TRUE(TestWait(port_, "ann", "t").WaitForLease(&lease));
  ASSERT_TRUE(stub_.Release("ann", lease).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  context.TryCancel();
  stream->Finish();
}

}  // namespace
}  // namespace assay::rpc
