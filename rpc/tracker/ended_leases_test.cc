#include "rpc/tracker/ended_leases.h"

#include <cstdint>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "rpc/tracker/events.h"

namespace assay::rpc::tracker {
namespace {

TEST(EndedLeasesTest, SaysHowALeaseEnded) {
  EndedLeases ended;
  ended.Add(7, "board", LeaseEnd::kDeviceLost);
  ended.Add(8, "other", LeaseEnd::kReleased);
  EXPECT_EQ(ended.Error(7),
            absl::AbortedError(
                "the lease 7 of `board` has ended: the device was lost"));
  EXPECT_EQ(
      ended.Error(8),
      absl::AbortedError("the lease 8 of `other` has ended: it was released"));
}

TEST(EndedLeasesTest, UnknownLeaseHasEnded) {
  EXPECT_EQ(EndedLeases().Error(7),
            absl::AbortedError("the lease 7 has ended"));
}

TEST(EndedLeasesTest, ForgetsTheFirstLease) {
  EndedLeases ended;
  // A lease with a small token can end after many later leases.
  for (int64_t token = EndedLeases::kMaxLeases; token >= 0; --token) {
    ended.Add(token, "board", LeaseEnd::kExpired);
  }
  EXPECT_EQ(ended.Error(EndedLeases::kMaxLeases).message(),
            "the lease 10000 has ended");
  EXPECT_EQ(ended.Error(EndedLeases::kMaxLeases - 1).message(),
            "the lease 9999 of `board` has ended: it expired");
  EXPECT_EQ(ended.Error(0).message(),
            "the lease 0 of `board` has ended: it expired");
}

}  // namespace
}  // namespace assay::rpc::tracker
