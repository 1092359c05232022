#include "suites/devices/block_log.h"

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

reports::BlockState BlockAt(double celsius) {
  reports::BlockState block;
  block.samples = 1;
  block.after.temperature_celsius = celsius;
  return block;
}

TEST(BlockLogTest, TakenBlocksAreForgotten) {
  BlockLog log;
  log.Add(BlockAt(50));
  log.Add(BlockAt(60));
  const auto blocks = log.Take();
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[1].after.temperature_celsius, 60);
  EXPECT_TRUE(log.Take().empty());
}

TEST(BlockLogTest, ManyBlocksAreJoined) {
  BlockLog log;
  for (int i = 0; i < 10'000; ++i) log.Add(BlockAt(i == 5000 ? 90 : 40));
  const auto blocks = log.Take();
  EXPECT_LE(blocks.size(), kMaxBlocks);
  EXPECT_GE(blocks.size(), kMaxBlocks / 2);
  int samples = 0, hot = 0;
  for (const reports::BlockState& block : blocks) {
    samples += block.samples;
    if (block.after.temperature_celsius == 90) ++hot;
  }
  EXPECT_EQ(samples, 10'000);
  EXPECT_EQ(hot, 1);
}

}  // namespace
}  // namespace assay::suites
