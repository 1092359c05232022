#include "rpc/tracker/events.h"

#include "gtest/gtest.h"
#include "rpc/tracker/records.h"

namespace assay::rpc::tracker {
namespace {

const Request& SomeRequest() {
  static const Request request = {"t1", "ann", "rpi3b", 2, 9};
  return request;
}

Lease SomeLease() {
  Lease lease;
  lease.token = 7;
  lease.device = "board";
  lease.key = "rpi3b";
  lease.user = "ann";
  lease.ticket = "t1";
  return lease;
}

TEST(EventsTest, DescribesRequests) {
  EXPECT_EQ(EventText(RequestQueued{SomeRequest()}),
            "request `t1` of `ann` for `rpi3b` is queued");
  EXPECT_EQ(EventText(RequestEnded{SomeRequest(), RequestEnd::kCancelled}),
            "request `t1` of `ann` for `rpi3b` is cancelled");
  EXPECT_EQ(EventText(RequestEnded{SomeRequest(), RequestEnd::kTimedOut}),
            "request `t1` of `ann` for `rpi3b` timed out");
  EXPECT_EQ(EventText(RequestMoved{SomeRequest(), 2, 1'500'000'000}),
            "request `t1` of `ann` for `rpi3b` has place 2, expected wait "
            "1.5 s");
  EXPECT_EQ(EventText(RequestMoved{SomeRequest(), 2, -1}),
            "request `t1` of `ann` for `rpi3b` has place 2, expected wait "
            "unknown");
}

TEST(EventsTest, DescribesLeases) {
  EXPECT_EQ(EventText(LeaseGranted{SomeLease()}),
            "lease 7 of `board` granted to `ann` for `t1`");
  Lease lease = SomeLease();
  EXPECT_EQ(EventText(LeaseContinues{lease}),
            "lease 7 of `board` is renewed after a restart");
  lease.restart_nanos = 1;
  EXPECT_EQ(EventText(LeaseContinues{lease}),
            "lease 7 of `board` continues after a restart");
  EXPECT_EQ(EventText(LeaseEnded{SomeLease(), LeaseEnd::kReleased}),
            "lease 7 of `board` ended: it was released");
  EXPECT_EQ(EventText(LeaseEnded{SomeLease(), LeaseEnd::kExpired}),
            "lease 7 of `board` ended: it expired");
  EXPECT_EQ(EventText(LeaseEnded{SomeLease(), LeaseEnd::kDeviceLost}),
            "lease 7 of `board` ended: the device was lost");
  EXPECT_EQ(EventText(LeaseEnded{SomeLease(), LeaseEnd::kQuarantined}),
            "lease 7 of `board` ended: the device was quarantined");
}

TEST(EventsTest, DescribesDevicesUseAndTokens) {
  EXPECT_EQ(
      EventText(DeviceChanged{{"board", "rpi3b", ""}, DeviceState::kFree}),
      "device `board` (rpi3b) is free");
  EXPECT_EQ(EventText(DeviceChanged{{"board", "rpi3b", "slow"},
                                    DeviceState::kQuarantined}),
            "device `board` (rpi3b) is quarantined: slow");
  EXPECT_EQ(EventText(DeviceRemoved{"board"}), "device `board` is removed");
  EXPECT_EQ(EventText(UsageChanged{{"ann", 3, 2'000'000'000}}),
            "use of `ann` in minute 3 is 2 s");
  EXPECT_EQ(EventText(TokensWanted{500}), "tokens up to 500 wanted");
}

}  // namespace
}  // namespace assay::rpc::tracker
