#include "rpc/tracker/lease_book.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/tracker/records.h"
#include "rpc/tracker/testing/lease_book_fixture.h"

namespace assay::rpc::tracker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using LeaseBookTest = LeaseBookFixture;

TEST_F(LeaseBookTest, LendsAFreeDevice) {
  At(3);
  Add("a");
  Ask("t1", "ann");
  EXPECT_THAT(AdvanceAll(),
              ElementsAre("device `a` (rpi3b) is free",
                          "request `t1` of `ann` for `rpi3b` is queued",
                          "lease 1 of `a` granted to `ann` for `t1`"));
  const Lease& lease = leases_["t1"];
  EXPECT_EQ(lease.key, "rpi3b");
  EXPECT_EQ(lease.granted_nanos, 3 * kSecond);
  EXPECT_EQ(lease.expires_nanos, 13 * kSecond);
  EXPECT_EQ(lease.renewals, 0);
  EXPECT_EQ(State("a"), "leased");
  EXPECT_THAT(AdvanceAll(), IsEmpty());
}

TEST_F(LeaseBookTest, LendsTheDeviceThatWasFreeForLongest) {
  Add("a");
  Add("b");
  Ask("t1", "ann");
  Advance();
  EXPECT_EQ(leases_["t1"].device, "a");
  At(1);
  Release("ann", 1);
  Ask("t2", "ann");
  Advance();
  EXPECT_EQ(leases_["t2"].device, "b");
}

TEST_F(LeaseBookTest, LendsOnlyDevicesOfTheKey) {
  Add("a", "pynq");
  Add("b", "rpi3b");
  Ask("t1", "ann", "rpi3b");
  Ask("t2", "ann", "rpi3b");
  Ask("t3", "ann", "pynq");
  EXPECT_THAT(Advance(),
              ElementsAre("lease 1 of `a` granted to `ann` for `t3`",
                          "lease 2 of `b` granted to `ann` for `t1`"));
}

TEST_F(LeaseBookTest, UnknownKeyIsNotFound) {
  EXPECT_EQ(Enqueue("t1", "ann", "rpi4b"),
            absl::NotFoundError("no device has the key `rpi4b`; the keys of "
                                "this tracker are: none"));
  Add("a", "rpi3b");
  Add("b", "pynq");
  EXPECT_EQ(Enqueue("t1", "ann", "rpi4b"),
            absl::NotFoundError("no device has the key `rpi4b`; the keys of "
                                "this tracker are: pynq, rpi3b"));
  EXPECT_TRUE(book_.LoseDevice("a", now_).ok());
  Ask("t1", "ann", "rpi3b");
}

TEST_F(LeaseBookTest, NumbersOfRequestsAndDevicesAreLimited) {
  Add("a");
  EXPECT_TRUE(book_.LoseDevice("a", now_).ok());
  Ask("t1", "ann");
  Ask("t2", "ann");
  Ask("t3", "ann");
  EXPECT_EQ(Enqueue("t4", "ann"),
            absl::ResourceExhaustedError(
                "user `ann` has 3 requests in the queue, and no room for "
                "ticket `t4`"));
  Ask("t3", "ann");
  Ask("t5", "bob");
  Ask("t6", "eve");
  EXPECT_EQ(Enqueue("t7", "eve"),
            absl::ResourceExhaustedError("the queue has 5 requests, and no "
                                         "room for ticket `t7`"));
  Add("b");
  Add("c");
  Add("b");
  EXPECT_EQ(book_.AddDevice("d", "rpi3b", now_),
            absl::ResourceExhaustedError(
                "there are 3 devices, and no room for device `d`"));
}

TEST_F(LeaseBookTest, EmptyNamesAreInvalid) {
  Add("a");
  for (const absl::Status& status :
       {book_.AddDevice("", "rpi3b", now_), book_.AddDevice("b", "", now_),
        Enqueue("", "ann"), Enqueue("t1", ""), Enqueue("t1", "ann", "")}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  }
}

TEST_F(LeaseBookTest, PriorityComesBeforeShareAndShareBeforeOrder) {
  Add("a");
  Add("b", "pynq");
  Ask("t0", "ann", "pynq");
  Ask("t1", "bob");
  Advance();
  At(1);
  Ask("t2", "ann");
  Ask("t3", "bob");
  Ask("t4", "eve");
  Ask("t5", "bob", "rpi3b", 1);
  Advance();
  At(2);
  // `ann` still holds a device, so that her share grows.
  Release("bob", leases_["t1"].token);
  EXPECT_THAT(Advance(),
              ElementsAre("lease 2 of `a` ended: it was released",
                          "lease 3 of `a` granted to `bob` for `t5`"));
  Release("bob", leases_["t5"].token);
  EXPECT_THAT(Advance(),
              ElementsAre("lease 3 of `a` ended: it was released",
                          "lease 4 of `a` granted to `eve` for `t4`"));
  At(3);
  Release("eve", leases_["t4"].token);
  EXPECT_THAT(Advance(),
              ElementsAre("lease 4 of `a` ended: it was released",
                          "lease 5 of `a` granted to `bob` for `t3`"));
  Release("bob", leases_["t3"].token);
  EXPECT_THAT(Advance(),
              ElementsAre("lease 5 of `a` ended: it was released",
                          "lease 6 of `a` granted to `ann` for `t2`"));
}

TEST_F(LeaseBookTest, RequestTimesOut) {
  Add("a");
  Ask("t1", "ann");
  Advance();
  EXPECT_TRUE(
      book_.Enqueue({"t2", "bob", "rpi3b", 0, 0}, 4 * kSecond, now_).ok());
  At(3);
  EXPECT_THAT(Advance(), IsEmpty());
  EXPECT_EQ(book_.NextEventNanos(), 4 * kSecond);
  At(4);
  Release("ann", 1);
  // It is not granted any more.
  EXPECT_THAT(Advance(),
              ElementsAre("lease 1 of `a` ended: it was released",
                          "request `t2` of `bob` for `rpi3b` timed out"));
}

TEST_F(LeaseBookTest, CancelEndsARequestOrItsLease) {
  Add("a");
  Ask("t1", "ann");
  Ask("t2", "bob");
  Ask("t3", "eve");
  Advance();
  EXPECT_EQ(
      book_.Cancel("ann", "t2", now_),
      absl::PermissionDeniedError("the ticket `t2` belongs to another user"));
  EXPECT_TRUE(book_.Cancel("bob", "t2", now_).ok());
  EXPECT_TRUE(book_.Cancel("bob", "unknown", now_).ok());
  EXPECT_THAT(Advance(),
              ElementsAre("request `t2` of `bob` for `rpi3b` is cancelled"));
  // The client was not told that it has the lease.
  EXPECT_TRUE(absl::IsPermissionDenied(book_.Cancel("bob", "t1", now_)));
  EXPECT_TRUE(book_.Cancel("ann", "t1", now_).ok());
  EXPECT_THAT(Advance(),
              ElementsAre("lease 1 of `a` ended: it was released",
                          "lease 2 of `a` granted to `eve` for `t3`"));
}

TEST_F(LeaseBookTest, DetachedRequestIsPassedOverAndKeepsItsPlace) {
  Add("a");
  Ask("t0", "ann");
  Advance();
  Ask("t1", "bob");
  Ask("t2", "eve");
  Ask("t3", "joe");
  book_.Detach("t1", now_);
  book_.Detach("t2", now_);
  book_.Detach("unknown", now_);
  Ask("t2", "eve");
  Release("ann", 1);
  EXPECT_THAT(Advance(),
              ElementsAre("lease 1 of `a` ended: it was released",
                          "lease 2 of `a` granted to `eve` for `t2`"));
  Ask("t1", "bob");
  Release("eve", 2);
  EXPECT_THAT(Advance(),
              ElementsAre("lease 2 of `a` ended: it was released",
                          "lease 3 of `a` granted to `bob` for `t1`"));
}

TEST_F(LeaseBookTest, DetachedRequestTimesOut) {
  Add("a");
  Ask("t0", "ann");
  Advance();
  Ask("t1", "bob");
  At(1);
  book_.Detach("t1", now_);
  At(30);
  EXPECT_THAT(Advance(), ElementsAre("lease 1 of `a` ended: it expired"));
  EXPECT_EQ(State("a"), "free");
  At(31);
  EXPECT_THAT(Advance(),
              ElementsAre("request `t1` of `bob` for `rpi3b` timed out"));
}

TEST_F(LeaseBookTest, AskingAgainReturnsTheLease) {
  Add("a");
  Ask("t1", "ann");
  Advance();
  At(4);
  Ask("t1", "ann");
  EXPECT_THAT(Advance(),
              ElementsAre("lease 1 of `a` granted to `ann` for `t1`"));
  EXPECT_EQ(leases_["t1"].granted_nanos, 0);
  EXPECT_EQ(leases_["t1"].expires_nanos, 14 * kSecond);
  EXPECT_EQ(leases_["t1"].renewals, 1);
}

TEST_F(LeaseBookTest, AskingAgainAfterTheEndIsANewRequest) {
  Add("a");
  Ask("t1", "ann");
  Advance();
  At(10);
  Ask("t1", "ann");
  EXPECT_THAT(Advance(), IsEmpty());
  Add("b");
  EXPECT_THAT(Advance(),
              ElementsAre("lease 2 of `b` granted to `ann` for `t1`"));
  At(12);
  EXPECT_THAT(Advance(), ElementsAre("lease 1 of `a` ended: it expired"));
  EXPECT_TRUE(book_.Cancel("ann", "t1", now_).ok());
  EXPECT_THAT(Advance(), ElementsAre("lease 2 of `b` ended: it was released"));
}

TEST_F(LeaseBookTest, TicketBelongsToItsRequest) {
  Add("a");
  Add("b", "pynq");
  Ask("leased", "ann");
  Ask("waiting", "ann");
  Advance();
  for (const std::string ticket : {"leased", "waiting"}) {
    EXPECT_EQ(Enqueue(ticket, "bob"),
              absl::PermissionDeniedError("the ticket `" + ticket +
                                          "` belongs to another user"));
    EXPECT_EQ(Enqueue(ticket, "ann", "pynq"),
              absl::InvalidArgumentError("the ticket `" + ticket +
                                         "` was used for `rpi3b` and cannot "
                                         "be used for `pynq`"));
  }
  EXPECT_EQ(Enqueue("waiting", "ann", "rpi3b", 2),
            absl::InvalidArgumentError("the ticket `waiting` was used with the "
                                       "priority 0 and cannot be used with 2"));
  EXPECT_THAT(Advance(), IsEmpty());
}

TEST_F(LeaseBookTest, ExpiredLeaseIsLentAgainAfterTheMargin) {
  Add("a");
  Ask("t1", "ann");
  Ask("t2", "bob");
  Advance();
  At(9);
  EXPECT_TRUE(Renew("ann", 1).ok());
  At(19);
  EXPECT_EQ(Renew("ann", 1).status(),
            absl::AbortedError("the lease 1 of `a` has ended: it expired"));
  EXPECT_THAT(Advance(), IsEmpty());
  At(20);
  EXPECT_THAT(Advance(), IsEmpty());
  EXPECT_EQ(State("a"), "leased");
  EXPECT_EQ(book_.NextEventNanos(), 21 * kSecond);
  At(21);
  EXPECT_THAT(Advance(),
              ElementsAre("lease 1 of `a` ended: it expired",
                          "lease 2 of `a` granted to `bob` for `t2`"));
  EXPECT_EQ(Renew("ann", 1).status(),
            absl::AbortedError("the lease 1 of `a` has ended: it expired"));
}

TEST_F(LeaseBookTest, RenewedLeaseLastsLonger) {
  Add("a");
  Ask("t1", "ann");
  Advance();
  for (int64_t i = 1; i <= 10; ++i) {
    At(9 * i);
    const absl::StatusOr<Lease> lease = Renew("ann", 1);
    ASSERT_TRUE(lease.ok()) << lease.status();
    EXPECT_EQ(lease->expires_nanos, (9 * i + 10) * kSecond);
    EXPECT_EQ(lease->renewals, i);
    EXPECT_THAT(Advance(), IsEmpty());
  }
}

TEST_F(LeaseBookTest, LeaseOfAnotherUserIsDenied) {
  Add("a");
  Ask("t1", "ann");
  Advance();
  const absl::Status denied =
      absl::PermissionDeniedError("the lease 1 of `a` belongs to another user");
  EXPECT_EQ(Renew("bob", 1).status(), denied);
  EXPECT_EQ(book_.Release("bob", 1, now_), denied);
  EXPECT_EQ(State("a"), "leased");
}

TEST_F(LeaseBookTest, ReleaseCanBeRepeated) {
  Add("a");
  Ask("t1", "ann");
  Advance();
  Release("ann", 1);
  Release("ann", 1);
  Release("ann", 99);
  EXPECT_THAT(Advance(), ElementsAre("lease 1 of `a` ended: it was released"));
  EXPECT_EQ(State("a"), "free");
  EXPECT_EQ(Renew("ann", 1).status(),
            absl::AbortedError("the lease 1 of `a` has ended: it was "
                               "released"));
  EXPECT_EQ(Renew("ann", 99).status(),
            absl::AbortedError("the lease 99 has ended"));
}

TEST_F(LeaseBookTest, RequestsWaitForTokens) {
  book_ = LeaseBook(Options());
  Add("a");
  Ask("t1", "ann");
  EXPECT_THAT(TokensWantedNow(), ElementsAre(100));
  EXPECT_THAT(TokensWantedNow(), ElementsAre(100));
  book_.ConfirmTokens(100);
  EXPECT_THAT(Advance(),
              ElementsAre("lease 1 of `a` granted to `ann` for `t1`"));
}

TEST_F(LeaseBookTest, TokensAreWantedLongBeforeTheyAreUsed) {
  Add("a");
  for (int64_t token = 1; token <= 100; ++token) {
    Ask("t", "ann");
    if (token < 50) {
      EXPECT_THAT(TokensWantedNow(), IsEmpty()) << token;
    } else {
      EXPECT_THAT(TokensWantedNow(), ElementsAre(200)) << token;
    }
    EXPECT_TRUE(Renew("ann", token).ok()) << token;
    Release("ann", token);
  }
  Ask("t", "ann");
  EXPECT_THAT(Advance(),
              ElementsAre("lease 100 of `a` ended: it was released"));
  book_.ConfirmTokens(200);
  EXPECT_THAT(Advance(),
              ElementsAre("lease 101 of `a` granted to `ann` for `t`"));
}

TEST_F(LeaseBookTest, ReportsPlacesWhenTheyChange) {
  Add("a");
  Ask("t1", "ann");
  Advance();
  Ask("t2", "bob");
  Ask("t3", "eve");
  EXPECT_THAT(AdvanceAll(),
              ElementsAre("request `t2` of `bob` for `rpi3b` is queued",
                          "request `t3` of `eve` for `rpi3b` is queued",
                          "request `t2` of `bob` for `rpi3b` has place 1, "
                          "expected wait 10 s",
                          "request `t3` of `eve` for `rpi3b` has place 2, "
                          "expected wait 20 s"));
  EXPECT_EQ(book_.NextEventNanos(), kSecond);
  EXPECT_TRUE(book_.Cancel("bob", "t2", now_).ok());
  Advance();
  At(1);
  EXPECT_THAT(AdvanceAll(),
              ElementsAre("request `t3` of `eve` for `rpi3b` has place 1, "
                          "expected wait 10 s"));
  At(2);
  EXPECT_THAT(AdvanceAll(), IsEmpty());
  // A client that asks again is told its place again.
  Ask("t3", "eve");
  At(3);
  EXPECT_THAT(AdvanceAll(),
              ElementsAre("request `t3` of `eve` for `rpi3b` has place 1, "
                          "expected wait 10 s"));
  // A second device halves the expected wait.
  Add("b");
  Ask("t4", "joe", "rpi3b", 1);
  At(4);
  EXPECT_THAT(AdvanceAll(),
              ElementsAre("device `b` (rpi3b) is free",
                          "request `t4` of `joe` for `rpi3b` is queued",
                          "lease 2 of `b` granted to `joe` for `t4`",
                          "request `t3` of `eve` for `rpi3b` has place 1, "
                          "expected wait 5 s"));
}

TEST_F(LeaseBookTest, SaysWhenToAdvance) {
  EXPECT_EQ(book_.NextEventNanos(), kNever);
  Add("a");
  EXPECT_EQ(book_.NextEventNanos(), 5 * kSecond);
  Ask("t1", "ann");
  Advance();
  EXPECT_EQ(book_.NextEventNanos(), 5 * kSecond);
  At(9);
  EXPECT_EQ(book_.NextEventNanos(), 12 * kSecond);
}

TEST_F(LeaseBookTest, EarlierTimeCountsAsTheLatest) {
  Add("a");
  At(4);
  Ask("t1", "ann");
  book_.Advance(now_);
  EXPECT_EQ(book_.Renew("ann", 1, kSecond)->expires_nanos, 14 * kSecond);
}

}  // namespace
}  // namespace assay::rpc::tracker
