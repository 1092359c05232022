#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "suites/tune/log/log_file.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MergeLogsTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = JoinPath(dir_.path(), name);
    EXPECT_TRUE(WriteFileAtomic(path, text).ok());
    return path;
  }

  const TempDir dir_ = TempDir::Create().value();
};

TEST_F(MergeLogsTest, LinesAreConcatenatedWithoutDuplicates) {
  const std::string a = Write("a", "{\"v\":1}\n{\"v\":2}\n\n{\"v\":1}\n");
  const std::string b = Write("b", "{\"v\":3}\n{\"v\":2}");
  const auto merged = MergeLogs({a, b});
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ(merged->text, "{\"v\":1}\n{\"v\":2}\n{\"v\":3}\n");
  EXPECT_EQ(merged->lines, 3);
  EXPECT_EQ(merged->duplicates, 2);
  EXPECT_THAT(merged->damaged, IsEmpty());
  // Merging again changes nothing.
  const auto again = MergeLogs({Write("c", merged->text), a, b});
  EXPECT_EQ(again->text, merged->text);
}

TEST_F(MergeLogsTest, TracesOfKilledTunersAreLeftOut) {
  const std::string a = Write("a", "{\"v\":1}\n{\"v\":2,\"ta\n{\"v\":7}\n");
  const auto merged = MergeLogs({a});
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ(merged->text, "{\"v\":1}\n{\"v\":7}\n");
  EXPECT_THAT(merged->damaged, ElementsAre(a + ":2"));
}

TEST_F(MergeLogsTest, MissingLogsAreErrors) {
  const std::string a = Write("a", "{}\n");
  const std::string missing = JoinPath(dir_.path(), "missing");
  EXPECT_THAT(std::string(MergeLogs({a, missing}).status().message()),
              HasSubstr(missing));
}

}  // namespace
}  // namespace assay::suites
