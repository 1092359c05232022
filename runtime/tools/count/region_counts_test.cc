#include "runtime/tools/count/region_counts.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

RegionCounts Example() {
  RegionCounts counts;
  counts.instructions = {10, 1, 5, 20, 8, 4, 3, 2};
  counts.loads = 9;
  counts.stores = 4;
  counts.loaded_bytes = 144;
  counts.stored_bytes = 64;
  counts.lines = 7;
  return counts;
}

TEST(RegionCountsTest, Sums) {
  const RegionCounts counts = Example();
  EXPECT_EQ(counts.Total(), 53);
  EXPECT_EQ(counts.MultiplyAdds(), 11);
  EXPECT_EQ(counts.Vectors(), 15);
  EXPECT_EQ(counts.Bytes(), 208);
}

TEST(RegionCountsTest, ParsesWhatIsWritten) {
  std::string line = RegionLine(Example());
  EXPECT_EQ(line, "region 10 1 5 20 8 4 3 2 9 4 144 64 7\n");
  line.pop_back();
  EXPECT_TRUE(ParseRegionLine(line) == Example());
  RegionCounts other = Example();
  other.lines = 1;
  EXPECT_FALSE(ParseRegionLine(line) == other);
}

TEST(RegionCountsTest, RejectsOtherLines) {
  for (const std::string line :
       {"", "end", "region", "region 10 1 5 20 8 4 3 2 9 4 144 64",
        "region 10 1 5 20 8 4 3 2 9 4 144 64 7 1",
        "region 10 1 5 20 8 4 3 2 9 4 -14 64 7",
        "regions 10 1 5 20 8 4 3 2 9 4 144 64 7"}) {
    EXPECT_EQ(ParseRegionLine(line), std::nullopt) << line;
  }
}

TEST(RegionCountsTest, DifferenceKeepsTheLines) {
  RegionCounts marker;
  marker.instructions[3] = 5;
  marker.lines = 2;
  RegionCounts counts = Example();
  counts -= marker;
  EXPECT_EQ(counts.Total(), 48);
  EXPECT_EQ(counts.lines, 7);
  counts += marker;
  EXPECT_EQ(counts.Total(), 53);
  EXPECT_EQ(counts.lines, 9);
}

}  // namespace
}  // namespace assay::runtime
