#include "suites/harness/cell_filter.h"

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

TEST(CellFilterTest, PatternsMatchNamesOfCells) {
  const std::string cell = CellName("resnet18", "host", {true}, 2);
  EXPECT_EQ(cell, "resnet18/host/fusion_on/threads_2");
  EXPECT_EQ(CellName("net", "pi", {false}, 0), "net/pi/fusion_off/threads_all");
  EXPECT_EQ(CellName("net", "pi", {/*fusion=*/true, /*tuned=*/true}, 1),
            "net/pi/fusion_on/tuned/threads_1");
  EXPECT_TRUE(MatchesCell({}, cell));
  EXPECT_TRUE(MatchesCell({cell}, cell));
  EXPECT_TRUE(MatchesCell({"*/fusion_on/*"}, cell));
  EXPECT_TRUE(MatchesCell({"nothing", "resnet*"}, cell));
  EXPECT_TRUE(MatchesCell({"resnet[0-9][0-9]/*"}, cell));
  EXPECT_FALSE(MatchesCell({"resnet"}, cell));
  EXPECT_FALSE(MatchesCell({"*/threads_1"}, cell));
  EXPECT_FALSE(MatchesCell({"[", ""}, cell));
}

}  // namespace
}  // namespace assay::suites
