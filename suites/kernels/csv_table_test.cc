#include "suites/kernels/csv_table.h"

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

std::string ErrorOf(absl::string_view text) {
  return std::string(
      ReadCsvTable("t.csv", text, {"name", "m"}).status().message());
}

TEST(CsvTableTest, ReadsRowsAndSkipsComments) {
  const auto rows = ReadCsvTable("t.csv", R"(# shapes
name, m

square,512
# the last
 wide , 7
)",
                                 {"name", "m"});
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0].line, 4);
  EXPECT_EQ((*rows)[1].fields, (std::vector<std::string>{"wide", "7"}));
}

TEST(CsvTableTest, ErrorsNameTheLine) {
  EXPECT_EQ(ErrorOf("\nname,n\n"), "`t.csv:2`: the columns must be `name,m`");
  EXPECT_EQ(ErrorOf("name,m\na,1\nb\n"),
            "`t.csv:3`: there are 1 fields for 2 columns");
  EXPECT_EQ(ErrorOf("# nothing"), "`t.csv:1`: the table is empty");
}

TEST(CsvTableTest, ParsesIntegers) {
  const CsvRow row = {9, {"a", "1", "20"}};
  EXPECT_EQ(*WholeNumbers("t.csv", row, 1, 1), (std::vector<int64_t>{1, 20}));
  EXPECT_EQ(WholeNumbers("t.csv", row, 0, 1).status().message(),
            "`t.csv:9`: `a` must be a whole number of at least 1");
  EXPECT_EQ(WholeNumbers("t.csv", row, 1, 2).status().message(),
            "`t.csv:9`: `1` must be a whole number of at least 2");
}

}  // namespace
}  // namespace assay::suites
