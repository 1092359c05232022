#include "reports/render/csv_field.h"

#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::reports {
namespace {

using ::testing::ElementsAre;

TEST(CsvFieldTest, QuotesOnlyWhereNecessary) {
  EXPECT_EQ(CsvField("tile_ow=2"), "tile_ow=2");
  EXPECT_EQ(CsvField("tile_ow=[-1,2]"), "\"tile_ow=[-1,2]\"");
  EXPECT_EQ(CsvField("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(CsvField(" a"), "\" a\"");
  EXPECT_EQ(CsvField("#a"), "\"#a\"");
  EXPECT_EQ(CsvField(""), "");
}

TEST(SplitCsvLineTest, IsTheInverseOfCsvField) {
  const std::vector<std::string> fields = {"",   "a", "b,c", "\"", "\"\",",
                                           " d", "#", ",",   ""};
  std::vector<std::string> quoted;
  for (const std::string& field : fields) quoted.push_back(CsvField(field));
  EXPECT_EQ(SplitCsvLine(absl::StrJoin(quoted, ",")), fields);
}

TEST(SplitCsvLineTest, UnclosedQuoteExtendsToTheEnd) {
  EXPECT_THAT(SplitCsvLine("a,\"b,c"), ElementsAre("a", "b,c"));
  EXPECT_THAT(SplitCsvLine(""), ElementsAre(""));
}

}  // namespace
}  // namespace assay::reports
