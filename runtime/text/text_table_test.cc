#include "runtime/text/text_table.h"

#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

TEST(TextTableTest, AlignsColumns) {
  TextTable table({{"device"}, {"ms", TextTable::kRight}, {"state"}});
  table.AddRow({"rpi3b", "12.5", "free"});
  table.AddRow({"pynq-board", "7", ""});
  EXPECT_EQ(table.ToString(),
            "device        ms  state\n"
            "rpi3b       12.5  free\n"
            "pynq-board     7\n");
}

TEST(TextTableTest, CountsCodePoints) {
  TextTable table({{"°C", TextTable::kRight}, {"name"}});
  table.AddRow({"48.1", "a"});
  table.AddRow({"–", "é"});
  EXPECT_EQ(table.ToString(),
            "  °C  name\n"
            "48.1  a\n"
            "   –  é\n");
}

TEST(TextTableTest, ColumnsAreAtLeastAsWideAsTheirWidestText) {
  TextTable table(
      {{"key", TextTable::kLeft, "rpi3b"}, {"ms", TextTable::kRight, "12.5"}});
  EXPECT_EQ(table.ToString(), "key      ms\n");
  table.AddRow({"a", "7"});
  EXPECT_EQ(table.ToString(),
            "key      ms\n"
            "a         7\n");
  table.AddRow({"pynq-z2", "5543.2"});
  EXPECT_EQ(table.ToString(),
            "key          ms\n"
            "a             7\n"
            "pynq-z2  5543.2\n");
}

}  // namespace
}  // namespace assay::runtime
