// What a LeaseBook keeps when the tracker is restarted.
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/tracker/book_state.h"
#include "rpc/tracker/lease_book.h"
#include "rpc/tracker/records.h"
#include "rpc/tracker/testing/lease_book_fixture.h"

namespace assay::rpc::tracker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using LeaseBookRestartTest = LeaseBookFixture;

TEST_F(LeaseBookRestartTest, LeasesContinueAfterARestart) {
  Add("a");
  Ask("t1", "ann");
  Advance();
  At(8);
  Restart();
  const int64_t restart = now_ / kSecond;
  EXPECT_EQ(State("a"), "lost");
  EXPECT_EQ(Renew("ann", 1).status(),
            absl::UnavailableError("device `a` has not registered since the "
                                   "tracker was started; try again"));
  EXPECT_EQ(Enqueue("t1", "ann").code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(book_.Heartbeat("a", "", now_),
            absl::FailedPreconditionError("device `a` has not registered since "
                                          "the tracker was started"));
  At(restart + 9);
  EXPECT_THAT(AdvanceAll(), IsEmpty());
  Add("a");
  EXPECT_THAT(AdvanceAll(), ElementsAre("device `a` (rpi3b) is leased"));
  // The client that was not told of the lease asks again.
  Ask("t1", "ann");
  EXPECT_THAT(Advance(),
              ElementsAre("lease 1 of `a` granted to `ann` for `t1`"));
  At(restart + 18);
  EXPECT_TRUE(Renew("ann", 1).ok());
  EXPECT_THAT(Advance(), IsEmpty());
}

TEST_F(LeaseBookRestartTest, ALeaseThatNobodyRenewsEndsInSpiteOfRestarts) {
  Add("a");
  Add("b");
  Ask("t1", "ann");
  Ask("t2", "ben");
  Advance();
  At(8);
  RestartNow();  // the time of both leases begins again
  Add("a");
  Add("b");
  for (const int64_t second : {12, 16}) {
    At(second);
    EXPECT_TRUE(Renew("ben", 2).ok());
    RestartNow();
    Add("a");
    Add("b");
    EXPECT_THAT(Advance(), IsEmpty());
  }
  At(18);
  EXPECT_EQ(Renew("ann", 1).status().code(), absl::StatusCode::kAborted);
  // The margin.
  At(20);
  RestartNow();
  Add("a");
  Add("b");
  EXPECT_THAT(Advance(), IsEmpty());
  EXPECT_EQ(State("a"), "free");
  EXPECT_TRUE(Renew("ben", 2).ok());
}

// A device ignores renewals whose numbers it has seen.
TEST_F(LeaseBookRestartTest, NumbersOfRenewalsGrowAcrossRestarts) {
  Add("a");
  Ask("t1", "ann");
  Advance();
  int64_t last = 0;
  for (int restart = 0; restart < 3; ++restart) {
    for (int i = 0; i < 5; ++i) {
      const absl::StatusOr<Lease> lease = Renew("ann", 1);
      ASSERT_TRUE(lease.ok()) << lease.status();
      EXPECT_GT(lease->renewals, last);
      last = lease->renewals;
    }
    Restart();
    Add("a");
  }
}

TEST_F(LeaseBookRestartTest, LeaseOfADeviceThatDoesNotComeBackEnds) {
  Add("a");
  Ask("t1", "ann");
  Advance();
  At(8);
  Restart();
  const int64_t restart = now_ / kSecond;
  EXPECT_EQ(book_.NextEventNanos(), (restart + 12) * kSecond);
  At(restart + 11);
  EXPECT_THAT(AdvanceAll(), IsEmpty());
  At(restart + 12);
  EXPECT_THAT(AdvanceAll(), ElementsAre("lease 1 of `a` ended: it expired"));
  EXPECT_EQ(State("a"), "lost");
}

TEST_F(LeaseBookRestartTest, RequestsKeepTheirOrderAfterARestart) {
  Add("a");
  Ask("t0", "ann");
  Advance();
  Ask("t1", "bob");
  Ask("t2", "eve");
  Ask("t3", "joe");
  Restart();
  Add("a");
  Ask("t4", "kim");
  Ask("t3", "joe");
  Ask("t2", "eve");
  Release("ann", 1);
  EXPECT_THAT(Advance(),
              ElementsAre("lease 1 of `a` ended: it was released",
                          "lease 101 of `a` granted to `eve` for `t2`"));
  Release("eve", 101);
  Advance();
  EXPECT_EQ(leases_["t3"].token, 102);
  Release("joe", 102);
  Advance();
  EXPECT_EQ(leases_["t4"].token, 103);
  // The client of `t1` does not come back.
  const int64_t restart = now_ / kSecond;
  Release("kim", 103);
  At(restart + 30);
  EXPECT_THAT(Advance(),
              ElementsAre("lease 103 of `a` ended: it was released",
                          "request `t1` of `bob` for `rpi3b` timed out"));
}

TEST_F(LeaseBookRestartTest, QuarantinesAndUseRemainAfterARestart) {
  Add("a");
  Add("b");
  EXPECT_TRUE(book_.SetQuarantine("b", "slow", now_).ok());
  Ask("t1", "ann");
  Advance();
  At(8);
  Release("ann", 1);
  Advance();
  Restart();
  Add("a");
  Add("b");
  EXPECT_EQ(State("b"), "quarantined");
  Ask("t2", "ann");
  Ask("t3", "bob");
  EXPECT_THAT(Advance(),
              ElementsAre("lease 101 of `a` granted to `bob` for `t3`"));
  EXPECT_EQ(book_.State(now_).usage.size(), 1u);
  EXPECT_EQ(book_.State(now_).usage[0].nanos, 8 * kSecond);
}

TEST_F(LeaseBookRestartTest, InvalidStateIsRejected) {
  BookState state;
  state.reserved_tokens = -1;
  const absl::StatusOr<LeaseBook> book =
      LeaseBook::Restore(Options(), state, now_);
  EXPECT_EQ(book.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(book.status().message()),
              HasSubstr("-1 reserved tokens"));
}

}  // namespace
}  // namespace assay::rpc::tracker
