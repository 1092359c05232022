#include "rpc/tracker/service/dispatcher.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/program/event_log.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/security/signature.h"
#include "rpc/tracker/book_state.h"
#include "rpc/tracker/lease_book.h"
#include "rpc/tracker/lease_options.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int64_t kSecond = 1'000'000'000;

struct FakeDevice : public DeviceStream {
  void Send(const ToDevice& message) override { sent.push_back(message); }
  void Close(const absl::Status& end) override { status = end; }

  std::vector<ToDevice> sent;
  absl::Status status;
};

struct FakeWait : public WaitingStream {
  void SendPlace(const Place& place) override { places.push_back(place); }
  bool SendLease(const Lease& sent, int64_t sent_token) override {
    if (gone) return false;
    lease = sent;
    token = sent_token;
    return true;
  }
  void Close(const absl::Status& end) override { status = end; }

  bool gone = false;
  std::vector<Place> places;
  Lease lease;
  int64_t token = 0;
  absl::Status status;
};

class DispatcherTest : public ::testing::Test {
 protected:
  DispatcherTest()
      : key_(*SigningKey::Generate()),
        book_(tracker::LeaseOptions()),
        dispatcher_(key_, *key_.PublicPem(), 10 * kSecond, tracker::BookState(),
                    0, &log_) {
    book_.ConfirmTokens(1'000'000);
  }
  ~DispatcherTest() override { fclose(log_file_); }

  bool Advance() {
    return dispatcher_.Handle(book_.Advance(now_), book_, now_);
  }

  std::shared_ptr<FakeDevice> Register(const std::string& name) {
    Hello hello;
    hello.set_device(name);
    hello.set_key("rpi3b");
    hello.set_address("10.0.0.7:9191");
    hello.mutable_facts()->set_board(name);
    auto device = std::make_shared<FakeDevice>();
    welcome_ = dispatcher_.Register(book_, hello, device, now_);
    EXPECT_TRUE(welcome_.ok()) << welcome_.status();
    return device;
  }

  absl::Status Beat(const std::string& name, const std::string& problem,
                    const DeviceStream* stream) {
    Heartbeat heartbeat;
    heartbeat.mutable_health()->set_problem(problem);
    heartbeat.mutable_state()->set_load(0.5);
    const absl::Status status =
        dispatcher_.Beat(book_, name, heartbeat, stream, now_);
    Advance();
    return status;
  }

  absl::Status Ask(const std::string& ticket, const std::string& user,
                   const std::shared_ptr<FakeWait>& wait, double seconds = 60) {
    AcquireRequest request;
    request.set_key("rpi3b");
    request.set_ticket(ticket);
    request.set_wait_seconds(seconds);
    return dispatcher_.Acquire(book_, request, user, wait, now_);
  }

  void SetQuarantine(const std::string& name, const std::string& reason) {
    QuarantineRequest request;
    request.set_device(name);
    request.set_reason(reason);
    EXPECT_TRUE(dispatcher_.Quarantine(book_, request, now_).ok());
  }

  ListedDevice Listed() {
    now_ += 1;
    return dispatcher_.List(book_, now_)->devices(0);
  }

  FILE* const log_file_ = tmpfile();
  EventLog log_{log_file_, "tracker"};
  int64_t now_ = kSecond;
  const SigningKey key_;
  tracker::LeaseBook book_;
  Dispatcher dispatcher_;
  absl::StatusOr<Welcome> welcome_;
};

TEST_F(DispatcherTest, LeasesAreSigned) {
  Register("a");
  const auto wait = std::make_shared<FakeWait>();
  ASSERT_TRUE(Ask("t", "ann", wait).ok());
  EXPECT_FALSE(Advance());
  const TrustedKeys keys =
      *TrustedKeys::Parse(welcome_->lease_key(), "welcome");
  EXPECT_TRUE(keys.Verify(SignaturePurpose::kLease, wait->lease.terms(),
                          wait->lease.signature())
                  .ok());
  LeaseTerms terms;
  ASSERT_TRUE(terms.ParseFromString(wait->lease.terms()));
  EXPECT_EQ(terms.device(), "a");
  EXPECT_EQ(terms.key(), "rpi3b");
  EXPECT_EQ(terms.user(), "ann");
  EXPECT_EQ(terms.token(), wait->token);
  EXPECT_EQ(terms.seconds(), 10);
  EXPECT_EQ(wait->lease.address(), "10.0.0.7:9191");
  EXPECT_EQ(wait->lease.facts().board(), "a");
  const auto renewed = dispatcher_.Renew(book_, "ann", wait->token, now_);
  ASSERT_TRUE(renewed.ok());
  ASSERT_TRUE(terms.ParseFromString(renewed->terms()));
  EXPECT_EQ(terms.renewals(), 1);
}

TEST_F(DispatcherTest, ALeaseThatCannotBeSentIsReleased) {
  const auto device = Register("a");
  const auto wait = std::make_shared<FakeWait>();
  wait->gone = true;
  ASSERT_TRUE(Ask("t", "ann", wait).ok());
  EXPECT_TRUE(Advance());
  EXPECT_FALSE(Advance());
  EXPECT_EQ(Listed().state(), ListedDevice::FREE);
  ASSERT_THAT(device->sent, SizeIs(1));
  EXPECT_EQ(device->sent[0].ended().token(), 1);
}

TEST_F(DispatcherTest, ARequestThatNobodyWaitsForIsNotServed) {
  Register("a");
  const auto wait = std::make_shared<FakeWait>();
  ASSERT_TRUE(Ask("t", "ann", wait).ok());
  dispatcher_.Leave(book_, "t", wait.get(), now_);
  Advance();
  EXPECT_EQ(wait->token, 0);
  const auto again = std::make_shared<FakeWait>();
  ASSERT_TRUE(Ask("t", "ann", again).ok());
  // The first call has ended after the second one has begun.
  dispatcher_.Leave(book_, "t", wait.get(), now_);
  Advance();
  EXPECT_NE(again->token, 0);
}

TEST_F(DispatcherTest, ALaterCallWithTheTicketReplacesTheFirst) {
  const auto first = std::make_shared<FakeWait>();
  const auto second = std::make_shared<FakeWait>();
  const auto other = std::make_shared<FakeWait>();
  EXPECT_TRUE(absl::IsNotFound(Ask("t", "ann", first)));
  Register("a");
  SetQuarantine("a", "repair");
  ASSERT_TRUE(Ask("t", "ann", first).ok());
  EXPECT_TRUE(absl::IsPermissionDenied(Ask("t", "ben", other)));
  EXPECT_TRUE(first->status.ok());
  ASSERT_TRUE(Ask("t", "ann", second).ok());
  EXPECT_TRUE(absl::IsCancelled(first->status));
  Advance();
  EXPECT_TRUE(first->places.empty());
  ASSERT_THAT(second->places, SizeIs(1));
  EXPECT_EQ(second->places[0].place(), 1);
  EXPECT_EQ(second->places[0].wait_seconds(), -1);
  EXPECT_EQ(second->places[0].ticket(), "t");
}

TEST_F(DispatcherTest, ACallWithoutAWaitIsServedAtOnceOrNever) {
  Register("a");
  const auto first = std::make_shared<FakeWait>();
  const auto second = std::make_shared<FakeWait>();
  ASSERT_TRUE(Ask("t1", "ann", first, 0).ok());
  ASSERT_TRUE(Ask("t2", "ann", second, 0).ok());
  Advance();
  EXPECT_NE(first->token, 0);
  now_ += 1;
  Advance();
  EXPECT_EQ(second->token, 0);
  EXPECT_TRUE(absl::IsDeadlineExceeded(second->status));
}

TEST_F(DispatcherTest, ANewStreamReplacesTheEarlierOne) {
  const auto first = Register("a");
  const auto second = Register("a");
  EXPECT_TRUE(absl::IsAborted(first->status));
  EXPECT_TRUE(Beat("a", "hot", first.get()).ok());
  EXPECT_EQ(Listed().state(), ListedDevice::FREE);
  dispatcher_.Disconnect(book_, "a", first.get(), /*leaves=*/true, now_);
  EXPECT_EQ(Listed().state(), ListedDevice::FREE);
  dispatcher_.Disconnect(book_, "a", second.get(), /*leaves=*/false, now_);
  EXPECT_EQ(Listed().state(), ListedDevice::FREE);
}

TEST_F(DispatcherTest, ADeviceThatLeavesIsLost) {
  const auto device = Register("a");
  dispatcher_.Disconnect(book_, "a", device.get(), /*leaves=*/true, now_);
  EXPECT_EQ(Listed().state(), ListedDevice::LOST);
}

TEST_F(DispatcherTest, AProblemIsAQuarantine) {
  const auto device = Register("a");
  const auto wait = std::make_shared<FakeWait>();
  ASSERT_TRUE(Ask("t", "ann", wait).ok());
  Advance();
  ASSERT_TRUE(Beat("a", "the canary is\nslow", device.get()).ok());
  EXPECT_EQ(Listed().state(), ListedDevice::QUARANTINED);
  EXPECT_EQ(Listed().reason(), "health: the canary is slow");
  EXPECT_EQ(Listed().health().problem(), "the canary is slow");
  EXPECT_EQ(Listed().device_state().load(), 0.5);
  ASSERT_THAT(device->sent, SizeIs(1));
  EXPECT_EQ(device->sent[0].ended().token(), wait->token);
  ASSERT_TRUE(Beat("a", "", device.get()).ok());
  EXPECT_EQ(Listed().state(), ListedDevice::FREE);
  EXPECT_EQ(Listed().reason(), "");
}

TEST_F(DispatcherTest, HealthDoesNotEndTheQuarantineOfAnAdministrator) {
  const auto device = Register("a");
  SetQuarantine("a", "repair");
  // In the same round.
  ASSERT_TRUE(Beat("a", "hot", device.get()).ok());
  EXPECT_EQ(Listed().reason(), "repair");
  ASSERT_TRUE(Beat("a", "", device.get()).ok());
  EXPECT_EQ(Listed().reason(), "repair");
  SetQuarantine("a", "");
  ASSERT_TRUE(Beat("a", "hot", device.get()).ok());
  EXPECT_EQ(Listed().reason(), "health: hot");
  SetQuarantine("a", "repair");
  ASSERT_TRUE(Beat("a", "", device.get()).ok());
  EXPECT_EQ(Listed().reason(), "repair");
}

TEST_F(DispatcherTest, AHeartbeatWithoutHealthChangesNoQuarantine) {
  const auto device = Register("a");
  ASSERT_TRUE(Beat("a", "hot", device.get()).ok());
  ASSERT_TRUE(
      dispatcher_.Beat(book_, "a", Heartbeat(), device.get(), now_).ok());
  Advance();
  EXPECT_EQ(Listed().state(), ListedDevice::QUARANTINED);
}

TEST_F(DispatcherTest, RememberedQuarantinesByHealthEndToo) {
  tracker::BookState state;
  state.devices = {{"a", "rpi3b", "health: hot"}};
  state.reserved_tokens = 1;
  book_ = *tracker::LeaseBook::Restore({}, state, now_);
  Dispatcher dispatcher(key_, "", 10 * kSecond, state, now_, &log_);
  const auto device = std::make_shared<FakeDevice>();
  Hello hello;
  hello.set_device("a");
  hello.set_key("rpi3b");
  ASSERT_TRUE(dispatcher.Register(book_, hello, device, now_).ok());
  Heartbeat heartbeat;
  heartbeat.mutable_health();
  ASSERT_TRUE(dispatcher.Beat(book_, "a", heartbeat, device.get(), now_).ok());
  EXPECT_EQ(dispatcher.List(book_, now_)->devices(0).state(),
            ListedDevice::FREE);
}

TEST_F(DispatcherTest, ListsWhoWaitsForHowLong) {
  Register("a");
  SetQuarantine("a", "repair");
  const auto wait = std::make_shared<FakeWait>();
  const auto gone = std::make_shared<FakeWait>();
  ASSERT_TRUE(Ask("t1", "ann", wait).ok());
  ASSERT_TRUE(Ask("t2", "ben", gone).ok());
  Advance();
  dispatcher_.Leave(book_, "t2", gone.get(), now_);
  now_ += 2 * kSecond;
  const auto list = dispatcher_.List(book_, now_);
  EXPECT_EQ(dispatcher_.List(book_, now_), list);
  ASSERT_THAT(list->queue(), SizeIs(1));
  EXPECT_EQ(list->queue(0).user(), "ann");
  EXPECT_EQ(list->queue(0).waited_seconds(), 2);
  EXPECT_EQ(list->devices(0).seconds_in_state(), 2);
}

TEST_F(DispatcherTest, CloseAllEndsAllStreams) {
  const auto device = Register("a");
  SetQuarantine("a", "repair");
  const auto wait = std::make_shared<FakeWait>();
  ASSERT_TRUE(Ask("t", "ann", wait).ok());
  dispatcher_.CloseAll(absl::UnavailableError("stop"));
  EXPECT_THAT(device->status.message(), HasSubstr("stop"));
  EXPECT_THAT(wait->status.message(), HasSubstr("stop"));
}

}  // namespace
}  // namespace assay::rpc
