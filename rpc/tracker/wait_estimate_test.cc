#include "rpc/tracker/wait_estimate.h"

#include "gtest/gtest.h"

namespace assay::rpc::tracker {
namespace {

TEST(WaitEstimateTest, BeginsWithTheInitialMean) {
  const WaitEstimate estimate(1000);
  EXPECT_EQ(estimate.MeanNanos("rpi3b"), 1000);
  EXPECT_EQ(estimate.Nanos("rpi3b", 3, 2), 1500);
}

TEST(WaitEstimateTest, FirstLeaseReplacesTheInitialMean) {
  WaitEstimate estimate(1000);
  estimate.AddLease("rpi3b", 80);
  EXPECT_EQ(estimate.MeanNanos("rpi3b"), 80);
  EXPECT_EQ(estimate.Nanos("rpi3b", 3, 2), 120);
  EXPECT_EQ(estimate.MeanNanos("pynq"), 1000);
}

TEST(WaitEstimateTest, LatestLeaseCountsOneEighth) {
  WaitEstimate estimate(1000);
  estimate.AddLease("rpi3b", 80);
  estimate.AddLease("rpi3b", 160);
  EXPECT_EQ(estimate.MeanNanos("rpi3b"), 90);
  estimate.AddLease("rpi3b", 10);
  EXPECT_EQ(estimate.MeanNanos("rpi3b"), 80);
}

TEST(WaitEstimateTest, WaitWithoutDevicesIsUnknown) {
  EXPECT_EQ(WaitEstimate(1000).Nanos("rpi3b", 1, 0), -1);
}

}  // namespace
}  // namespace assay::rpc::tracker
