// The devices of a LeaseBook: loss, registration, quarantine and removal.
#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/tracker/testing/lease_book_fixture.h"

namespace assay::rpc::tracker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using LeaseBookDevicesTest = LeaseBookFixture;

TEST_F(LeaseBookDevicesTest, UnknownDevicesAreNotFound) {
  const absl::Status unknown = absl::NotFoundError("there is no device `x`");
  EXPECT_EQ(book_.Heartbeat("x", "", now_), unknown);
  EXPECT_EQ(book_.SetQuarantine("x", "slow", now_), unknown);
  EXPECT_EQ(book_.LoseDevice("x", now_), unknown);
  EXPECT_EQ(book_.RemoveDevice("x", now_), unknown);
}

TEST_F(LeaseBookDevicesTest, DeviceWithoutHeartbeatIsLost) {
  Add("a");
  Add("b");
  Ask("t1", "ann");
  Ask("t2", "bob");
  Ask("t3", "eve");
  Advance();
  At(2);
  alive_ = {"b"};
  At(6);
  EXPECT_THAT(Advance(), IsEmpty());
  EXPECT_EQ(book_.NextEventNanos(), 7 * kSecond);
  At(7);
  EXPECT_THAT(AdvanceAll(),
              ElementsAre("lease 1 of `a` ended: the device was lost",
                          "device `a` (rpi3b) is lost",
                          "request `t3` of `eve` for `rpi3b` has place 1, "
                          "expected wait 10 s"));
  EXPECT_EQ(Renew("ann", 1).status(),
            absl::AbortedError("the lease 1 of `a` has ended: the device was "
                               "lost"));
  EXPECT_TRUE(Renew("bob", 2).ok());
  At(8);
  EXPECT_TRUE(book_.Heartbeat("a", "back", now_).ok());
  EXPECT_THAT(AdvanceAll(),
              ElementsAre("device `a` (rpi3b) is free",
                          "lease 3 of `a` granted to `eve` for `t3`"));
}

TEST_F(LeaseBookDevicesTest, DeviceThatLeavesIsLostAtOnce) {
  Add("a");
  Ask("t1", "ann");
  Advance();
  EXPECT_TRUE(book_.LoseDevice("a", now_).ok());
  EXPECT_TRUE(book_.LoseDevice("a", now_).ok());
  EXPECT_THAT(AdvanceAll(),
              ElementsAre("lease 1 of `a` ended: the device was lost",
                          "device `a` (rpi3b) is lost"));
  EXPECT_EQ(book_.NextEventNanos(), kNever);
}

TEST_F(LeaseBookDevicesTest, DeviceThatRegistersAgainKeepsItsLease) {
  Add("a");
  Ask("t1", "ann");
  Advance();
  alive_.clear();
  At(4);
  Add("a");
  EXPECT_THAT(AdvanceAll(), IsEmpty());
  alive_.clear();
  At(8);
  EXPECT_THAT(AdvanceAll(), IsEmpty());
  EXPECT_TRUE(Renew("ann", 1).ok());
}

TEST_F(LeaseBookDevicesTest, DeviceThatRegistersWithAnotherKeyLosesItsLease) {
  Add("a", "rpi3b");
  Ask("t1", "ann", "rpi3b");
  Ask("t2", "bob", "rpi3b");
  AdvanceAll();
  At(1);
  Add("a", "pynq");
  Ask("t3", "eve", "pynq");
  EXPECT_THAT(Advance(),
              ElementsAre("lease 1 of `a` ended: the device was lost",
                          "lease 2 of `a` granted to `eve` for `t3`"));
  EXPECT_THAT(book_.State(now_).devices, SizeIs(1));
  EXPECT_EQ(book_.State(now_).devices[0].key, "pynq");
}

TEST_F(LeaseBookDevicesTest, QuarantineBreaksTheLease) {
  Add("a");
  Ask("t1", "ann");
  Ask("t2", "bob");
  AdvanceAll();
  EXPECT_TRUE(book_.SetQuarantine("a", "slow", now_).ok());
  EXPECT_TRUE(book_.SetQuarantine("a", "slow", now_).ok());
  At(1);
  EXPECT_THAT(AdvanceAll(),
              ElementsAre("lease 1 of `a` ended: the device was quarantined",
                          "device `a` (rpi3b) is quarantined: slow",
                          "request `t2` of `bob` for `rpi3b` has place 1, "
                          "expected wait unknown"));
  EXPECT_EQ(Renew("ann", 1).status(),
            absl::AbortedError("the lease 1 of `a` has ended: the device was "
                               "quarantined"));
  // A quarantine remains while the device is lost and registers again.
  EXPECT_TRUE(book_.LoseDevice("a", now_).ok());
  Add("a");
  EXPECT_EQ(State("a"), "quarantined");
  Advance();
  EXPECT_TRUE(book_.SetQuarantine("a", "", now_).ok());
  EXPECT_THAT(AdvanceAll(),
              ElementsAre("device `a` (rpi3b) is free",
                          "lease 2 of `a` granted to `bob` for `t2`"));
}

TEST_F(LeaseBookDevicesTest, RemovesLostDevices) {
  Add("a");
  EXPECT_EQ(book_.RemoveDevice("a", now_),
            absl::FailedPreconditionError(
                "device `a` cannot be removed, because it is not lost or has "
                "a lease"));
  EXPECT_TRUE(book_.LoseDevice("a", now_).ok());
  AdvanceAll();
  EXPECT_TRUE(book_.RemoveDevice("a", now_).ok());
  EXPECT_THAT(AdvanceAll(), ElementsAre("device `a` is removed"));
  EXPECT_THAT(book_.Snapshot(now_).devices, IsEmpty());
}

TEST_F(LeaseBookDevicesTest, TokensBelowTheLeastOneHaveEnded) {
  Add("a");
  Add("b");
  EXPECT_EQ(book_.LeastToken("a"), 1);
  Ask("t1", "ann");
  Ask("t2", "ben");
  Advance();
  EXPECT_EQ(book_.LeastToken("a"), 1);
  EXPECT_EQ(book_.LeastToken("b"), 2);
  EXPECT_EQ(book_.LeastToken("unknown"), 3);
  Release("ann", 1);
  EXPECT_EQ(book_.LeastToken("a"), 3);
  EXPECT_EQ(book_.LeastToken("b"), 2);
}

}  // namespace
}  // namespace assay::rpc::tracker
