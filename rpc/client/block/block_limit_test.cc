#include "rpc/client/block/block_limit.h"

#include <limits>

#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

using runtime::Block;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kCall = 120 * kSecond;

TEST(BlockLimitTest, AnEmptyBlockHasTheTimeOfACall) {
  EXPECT_EQ(BlockLimitNanos(Block(), {0}, kCall), kCall);
}

TEST(BlockLimitTest, CountsPausesWarmUpAndMinimumTimes) {
  Block block;
  block.samples.assign(10, {/*program=*/0, /*number=*/1, /*warmup_runs=*/0,
                            /*warmup_nanos=*/2 * kSecond});
  EXPECT_EQ(BlockLimitNanos(block, {1}, kCall) / kSecond * kSecond,
            kCall + 80 * kSecond);
  block.min_sample_nanos = kSecond;
  EXPECT_EQ(BlockLimitNanos(block, {1}, kCall) / kSecond * kSecond,
            kCall + 120 * kSecond);
  block.cooldown_nanos = 30 * kSecond;
  EXPECT_EQ(BlockLimitNanos(block, {1}, kCall) / kSecond * kSecond,
            kCall + 420 * kSecond);
}

TEST(BlockLimitTest, CountsTheRunsOfEachProgram) {
  Block block;
  block.samples = {{/*program=*/0, /*number=*/7, /*warmup_runs=*/2},
                   {/*program=*/1, /*number=*/19}};
  EXPECT_EQ(BlockLimitNanos(block, {kSecond, 3 * kSecond}, kCall),
            kCall + 4 * (10 + 60) * kSecond);
}

TEST(BlockLimitTest, AProgramWhoseTimeIsNotKnownHasTheTimeOfACallPerSample) {
  Block block;
  block.samples = {{/*program=*/0}, {/*program=*/1}, {/*program=*/1}};
  EXPECT_EQ(BlockLimitNanos(block, {kSecond, 0}, kCall),
            3 * kCall + 4 * 2 * kSecond);
}

TEST(BlockLimitTest, IsAtMostADay) {
  Block block;
  const int64_t most = std::numeric_limits<int64_t>::max();
  block.samples.assign(1000, {0, most, most, most});
  block.min_sample_nanos = block.cooldown_nanos = most;
  EXPECT_EQ(BlockLimitNanos(block, {most}, most), kMaxBlockLimitNanos);
}

}  // namespace
}  // namespace assay::rpc
