#include "reports/site/bisections.h"

#include <string>

#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

TEST(BisectionsTest, ReadsReportsAndSkipsOthers) {
  const TempDir dir = *TempDir::Create();
  const std::string none = JoinPath(dir.path(), "none");
  EXPECT_TRUE(ReadBisections(none)->reports.empty());
  const auto write = [&](const char* name, const char* text) {
    ASSERT_TRUE(WriteFileAtomic(JoinPath(dir.path(), name), text).ok());
  };
  write("b_2.json", "{\"good\":\"a\"}");
  write("a-1.json", "{}");
  write("a-1.md", "# text");
  write("bad name.json", "{}");
  write("<x>.json", "{}");
  write("list.json", "[]");
  write("torn.json", "{\"good\":");
  const auto read = ReadBisections(dir.path());
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->reports.size(), 2u);
  EXPECT_EQ(read->reports[0].name, "a-1");
  EXPECT_EQ(read->reports[1].name, "b_2");
  EXPECT_EQ(read->reports[1].report["good"], "a");
  ASSERT_EQ(read->skipped.size(), 4u);
  EXPECT_EQ(read->skipped[2], "`bisections/list.json` is not a JSON object");
}

}  // namespace
}  // namespace assay::reports
