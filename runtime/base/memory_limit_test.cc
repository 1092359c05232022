#include "runtime/base/memory_limit.h"

#include "gtest/gtest.h"

namespace assay {
namespace {

TEST(MemoryLimitTest, ParsesUnits) {
  EXPECT_EQ(*ParseBytes("1"), 1);
  EXPECT_EQ(*ParseBytes("4096"), 4096);
  EXPECT_EQ(*ParseBytes("3K"), 3072);
  EXPECT_EQ(*ParseBytes("2M"), 2 << 20);
  EXPECT_EQ(*ParseBytes("4G"), int64_t{4} << 30);
  EXPECT_EQ(*ParseBytes("8388607T"), int64_t{8388607} << 40);
}

TEST(MemoryLimitTest, RejectsMalformedSizes) {
  for (const char* text : {"", "G", "0", "-1G", "4GB", "1.5G", "4 G", "4g",
                           "8388608T", "9223372036854775808"}) {
    EXPECT_EQ(
        ParseBytes(text).status().message(),
        "`" + std::string(text) +
            "` is not a number of bytes; write `512M` or `4G`, for example");
  }
}

TEST(MemoryLimitTest, PrintsUnits) {
  EXPECT_EQ(BytesToString(0), "0 bytes");
  EXPECT_EQ(BytesToString(1023), "1023 bytes");
  EXPECT_EQ(BytesToString(1024), "1 KiB");
  EXPECT_EQ(BytesToString(3 << 19), "1.5 MiB");
  EXPECT_EQ(BytesToString(int64_t{4} << 30), "4 GiB");
  EXPECT_EQ(BytesToString(int64_t{5} << 50), "5120 TiB");
}

TEST(MemoryLimitTest, BudgetTracksUsedBytes) {
  MemoryBudget budget(100);
  EXPECT_TRUE(budget.Check("`a`", 100).ok());
  budget.Use(60);
  EXPECT_TRUE(budget.Check("`b`", 40).ok());
  const absl::Status status = budget.Check("`b`", 41);
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_EQ(status.message(),
            "`b` needs 41 bytes, more than the 40 bytes that --max_memory "
            "leaves");
  budget.Use(60);
  EXPECT_EQ(budget.left(), 0);
  EXPECT_FALSE(budget.Check("`c`", 1).ok());
}

}  // namespace
}  // namespace assay
