#include "compiler/driver/memory_plan.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::driver {
namespace {

using Buffers = std::vector<BufferLifetime>;

TEST(PlanMemoryTest, ReusesMemoryOfDeadBuffers) {
  const MemoryPlan plan =
      PlanMemory(Buffers{{4096, 0, 1}, {4096, 1, 2}, {100, 2, 3}});
  EXPECT_EQ(plan.offsets, (std::vector<int64_t>{0, 4096, 0}));
  EXPECT_EQ(plan.arena_bytes, 8192);
}

TEST(PlanMemoryTest, UsesSmallestSufficientGap) {
  // Three long-lived buffers leave gaps of 512 and 128 bytes at time 2.
  const Buffers buffers = {{1024, 0, 2}, {512, 0, 1}, {256, 0, 2},
                           {128, 0, 1},  {100, 0, 2}, {64, 2, 2}};
  const MemoryPlan plan = PlanMemory(buffers);
  EXPECT_EQ(plan.offsets,
            (std::vector<int64_t>{0, 1024, 1536, 1792, 1920, 1792}));
}

TEST(PlanMemoryTest, HandlesEmptyListsAndBuffers) {
  EXPECT_EQ(PlanMemory({}).arena_bytes, 0);
  const MemoryPlan plan = PlanMemory(Buffers{{0, 0, 5}, {1, 0, 5}, {0, 0, 5}});
  EXPECT_EQ(plan.offsets, (std::vector<int64_t>{0, 0, 0}));
  EXPECT_EQ(plan.arena_bytes, 64);
}

TEST(LiveBytesTest, IsMaximumSumOfLiveBuffers) {
  EXPECT_EQ(LiveBytesLowerBound({}), 0);
  EXPECT_EQ(LiveBytesLowerBound(Buffers{{64, 0, 1}, {64, 1, 2}, {64, 3, 3}}),
            128);
  EXPECT_EQ(LiveBytesLowerBound(Buffers{{1, 0, 0}, {65, 1, 1}}), 128);
}

void ExpectSound(const Buffers& buffers, const MemoryPlan& plan) {
  ASSERT_EQ(plan.offsets.size(), buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    const int64_t begin = plan.offsets[i];
    const int64_t end = begin + buffers[i].bytes;
    ASSERT_EQ(begin % 64, 0);
    ASSERT_GE(begin, 0);
    ASSERT_LE(end, plan.arena_bytes);
    for (size_t j = 0; j < i; ++j) {
      const bool same_time = buffers[i].first_use <= buffers[j].last_use &&
                             buffers[j].first_use <= buffers[i].last_use;
      const bool same_space =
          begin < plan.offsets[j] + buffers[j].bytes && plan.offsets[j] < end;
      ASSERT_FALSE(same_time && same_space) << i << " and " << j;
    }
  }
}

TEST(PlanMemoryTest, RandomPlansAreValidAndNearTheLowerBound) {
  Rng rng(4711);
  double total = 0, total_bound = 0;
  for (int trial = 0; trial < 500; ++trial) {
    Buffers buffers(rng.UniformInt(0, 60));
    for (BufferLifetime& b : buffers) {
      b.bytes = rng.UniformInt(0, 1) == 0 ? rng.UniformInt(0, 300)
                                          : rng.UniformInt(0, 100000);
      b.first_use = static_cast<int32_t>(rng.UniformInt(0, 50));
      b.last_use = b.first_use + static_cast<int32_t>(rng.UniformInt(0, 10));
    }
    const MemoryPlan plan = PlanMemory(buffers);
    ASSERT_NO_FATAL_FAILURE(ExpectSound(buffers, plan)) << trial;
    const int64_t bound = LiveBytesLowerBound(buffers);
    ASSERT_GE(plan.arena_bytes, bound);
    ASSERT_LE(plan.arena_bytes, 2 * bound);
    total += static_cast<double>(plan.arena_bytes);
    total_bound += static_cast<double>(bound);
  }
  EXPECT_LT(total / total_bound, 1.04);
}

// A chain of residual blocks as in ResNet.
TEST(PlanMemoryTest, ResidualChainReachesTheLowerBound) {
  Buffers buffers;
  int64_t bytes = 802816;
  for (int32_t block = 0; block < 8; ++block) {
    const int32_t t = 3 * block;
    buffers.push_back({bytes, t, t + 3});  // block input, used by the add
    buffers.push_back({bytes, t + 1, t + 2});
    buffers.push_back({bytes, t + 2, t + 3});
    if (block % 2 == 1) bytes /= 2;
  }
  EXPECT_EQ(PlanMemory(buffers).arena_bytes, LiveBytesLowerBound(buffers));
}

TEST(PlanMemoryDeathTest, RejectsInvalidSizesAndLifetimes) {
  EXPECT_DEATH(PlanMemory(Buffers{{-1, 0, 0}}), "check failed");
  EXPECT_DEATH(PlanMemory(Buffers{{1, 2, 1}}), "check failed");
}

}  // namespace
}  // namespace assay::driver
