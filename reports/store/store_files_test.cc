#include "reports/store/store_files.h"

#include <string>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

TEST(StoreFilesTest, NamesAreUniqueAndInTheOrderOfTime) {
  const std::string a = NewStoreFile(".x").value();
  const std::string b = NewStoreFile(".x").value();
  EXPECT_THAT(a,
              MatchesRegex("[0-9]{8}T[0-9]{6}[.][0-9]{6}Z-[0-9a-f]{16}[.]x"));
  EXPECT_LE(a.substr(0, 23), b.substr(0, 23));
  EXPECT_NE(a, b);
}

TEST(StoreFilesTest, ListsFilesOfOneKind) {
  const TempDir dir = *TempDir::Create();
  for (const char* name : {"b.x", "a.x", "c.y"}) {
    ASSERT_TRUE(WriteFileAtomic(JoinPath(dir.path(), name), "").ok());
  }
  ASSERT_TRUE(MakeDirs(JoinPath(dir.path(), "d.x")).ok());
  EXPECT_THAT(*ListStoreFiles(dir.path(), ".x"), ElementsAre("a.x", "b.x"));
  const auto none = ListStoreFiles(JoinPath(dir.path(), "none"), ".x");
  EXPECT_TRUE(absl::IsNotFound(none.status())) << none.status();
  const auto file = ListStoreFiles(JoinPath(dir.path(), "a.x"), ".x");
  EXPECT_TRUE(absl::IsInvalidArgument(file.status())) << file.status();
}

}  // namespace
}  // namespace assay::reports
