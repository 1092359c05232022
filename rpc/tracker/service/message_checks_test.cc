#include "rpc/tracker/service/message_checks.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;

Hello GoodHello() {
  Hello hello;
  hello.set_device("rack1-03");
  hello.set_key("rpi3b");
  hello.set_address("10.0.0.7:9191");
  hello.mutable_facts()->set_fingerprint("cortex-a53");
  (*hello.mutable_facts()->mutable_identity())["cpu"] = "cortex-a53";
  return hello;
}

AcquireRequest GoodAcquire() {
  AcquireRequest request;
  request.set_key("rpi3b");
  request.set_ticket("0123-abc");
  request.set_wait_seconds(60);
  return request;
}

TEST(MessageChecksTest, ChecksHello) {
  EXPECT_TRUE(CheckHello(GoodHello()).ok());
  Hello hello = GoodHello();
  hello.set_device("");
  EXPECT_THAT(CheckHello(hello).message(), HasSubstr("device"));
  hello = GoodHello();
  hello.set_key("../etc");
  EXPECT_THAT(CheckHello(hello).message(), HasSubstr("key"));
  hello = GoodHello();
  hello.set_address("unix:/tmp/x");
  EXPECT_THAT(CheckHello(hello).message(), HasSubstr("unix:/tmp/x"));
  hello = GoodHello();
  (*hello.mutable_facts()->mutable_state())["x"] = std::string(40'000, 'x');
  EXPECT_THAT(CheckHello(hello).message(), HasSubstr("facts"));
}

// A client refuses a lease with such facts, so the device could never be used.
TEST(MessageChecksTest, ChecksFacts) {
  Hello hello = GoodHello();
  hello.mutable_facts()->clear_fingerprint();
  EXPECT_THAT(CheckHello(hello).message(), HasSubstr("fingerprint"));
  hello.mutable_facts()->set_fingerprint("../baselines");
  EXPECT_THAT(CheckHello(hello).message(), HasSubstr("fingerprint"));
  hello = GoodHello();
  hello.mutable_facts()->set_board("rack\x1b[2J");
  EXPECT_TRUE(absl::IsInvalidArgument(CheckHello(hello)));
  EXPECT_THAT(CheckHello(hello).message(), HasSubstr("`rack1-03`"));
  EXPECT_THAT(CheckHello(hello).message(), HasSubstr("board"));
  hello = GoodHello();
  for (int i = 0; i < 100; ++i) {
    (*hello.mutable_facts()->mutable_identity())[absl::StrCat("x", i)] = "y";
  }
  EXPECT_THAT(CheckHello(hello).message(), HasSubstr("identity"));
}

TEST(MessageChecksTest, ChecksTheOrderOfTheMessagesOfADevice) {
  FromDevice hello;
  *hello.mutable_hello() = GoodHello();
  FromDevice beat;
  beat.mutable_heartbeat();
  EXPECT_TRUE(CheckFromDevice(hello, "rack1-03", false).ok());
  EXPECT_TRUE(CheckFromDevice(beat, "rack1-03", true).ok());
  for (const absl::Status& status :
       {CheckFromDevice(hello, "rack1-03", true),
        CheckFromDevice(beat, "rack1-03", false),
        CheckFromDevice(FromDevice(), "rack1-03", false)}) {
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  }
  EXPECT_TRUE(
      absl::IsPermissionDenied(CheckFromDevice(hello, "rack1-04", false)));
}

TEST(MessageChecksTest, ChecksTheSizeOfHeartbeats) {
  Heartbeat heartbeat;
  EXPECT_TRUE(CheckHeartbeat(heartbeat).ok());
  heartbeat.mutable_health()->set_problem(std::string(5'000, 'x'));
  EXPECT_TRUE(absl::IsInvalidArgument(CheckHeartbeat(heartbeat)));
}

TEST(MessageChecksTest, ChecksAcquire) {
  EXPECT_TRUE(CheckAcquire(GoodAcquire()).ok());
  AcquireRequest request = GoodAcquire();
  request.set_ticket("");
  request.set_priority(100);
  request.set_wait_seconds(0);
  EXPECT_TRUE(CheckAcquire(request).ok());
  for (const int32_t priority :
       {-1, 101, std::numeric_limits<int32_t>::max()}) {
    request.set_priority(priority);
    EXPECT_THAT(CheckAcquire(request).message(), HasSubstr("priority"));
  }
  request = GoodAcquire();
  for (const double wait : {-1.0, 1e9, std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()}) {
    request.set_wait_seconds(wait);
    EXPECT_THAT(CheckAcquire(request).message(), HasSubstr("wait_seconds"));
  }
  request = GoodAcquire();
  for (const std::string& ticket :
       {std::string("a b"), std::string("a\0b", 3), std::string(65, 'a')}) {
    request.set_ticket(ticket);
    EXPECT_THAT(CheckAcquire(request).message(), HasSubstr("ticket"));
  }
}

TEST(MessageChecksTest, ChecksWithdraw) {
  WithdrawRequest request;
  EXPECT_TRUE(absl::IsInvalidArgument(CheckWithdraw(request)));
  request.set_ticket("a/b");
  EXPECT_TRUE(absl::IsInvalidArgument(CheckWithdraw(request)));
  request.set_ticket("t-1");
  EXPECT_TRUE(CheckWithdraw(request).ok());
}

TEST(MessageChecksTest, ChecksLeaseNames) {
  LeaseName lease;
  lease.set_device("a");
  EXPECT_THAT(CheckLeaseName(lease).message(), HasSubstr("token"));
  lease.set_token(1);
  EXPECT_TRUE(CheckLeaseName(lease).ok());
  lease.set_device("a/b");
  EXPECT_THAT(CheckLeaseName(lease).message(), HasSubstr("device"));
}

TEST(MessageChecksTest, OnlyTheTrackerWritesReasonsOfHealth) {
  QuarantineRequest request;
  request.set_device("a");
  request.set_reason("fan is broken");
  EXPECT_TRUE(CheckQuarantine(request).ok());
  for (const char* reason : {"health: fine", "health:\tfine"}) {
    request.set_reason(reason);
    EXPECT_TRUE(absl::IsInvalidArgument(CheckQuarantine(request))) << reason;
  }
}

TEST(MessageChecksTest, ReasonsAreShortLines) {
  EXPECT_EQ(CleanReason("a\nb\x1b[2Jc\x7f"), "a b [2Jc ");
  EXPECT_EQ(CleanReason(std::string(1000, 'x')), std::string(300, 'x'));
  EXPECT_EQ(CleanReason("é"), "é");
  EXPECT_EQ(CleanReason(std::string(299, 'x') + "é" + "more"),
            std::string(299, 'x'));
}

}  // namespace
}  // namespace assay::rpc
