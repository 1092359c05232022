#include "runtime/sqlite/sqlite.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

TEST(SqliteTest, StoresRows) {
  const auto dir = TempDir::Create();
  const std::string path = JoinPath(dir->path(), "db");
  {
    auto database = Database::Open(path);
    ASSERT_TRUE(database.ok()) << database.status();
    ASSERT_TRUE(database->Execute("CREATE TABLE t (a, b)").ok());
    auto insert = database->Prepare("INSERT INTO t VALUES (?,?)");
    ASSERT_TRUE(insert.ok()) << insert.status();
    for (int64_t i = 0; i < 3; ++i) {
      insert->Bind(1, std::string("x\0y", 3));
      insert->Bind(2, int64_t{1} << (40 + i));
      ASSERT_TRUE(insert->Run().ok());
    }
  }
  auto database = Database::Open(path);
  auto select = database->Prepare("SELECT a, b, NULL FROM t ORDER BY b DESC");
  ASSERT_TRUE(select.ok()) << select.status();
  for (int64_t i = 2; i >= 0; --i) {
    ASSERT_TRUE(*select->Step());
    EXPECT_EQ(select->Text(0), std::string("x\0y", 3));
    EXPECT_EQ(select->Number(1), int64_t{1} << (40 + i));
    EXPECT_EQ(select->Text(2), "");
  }
  EXPECT_FALSE(*select->Step());
}

TEST(SqliteTest, MapsErrorsToStatusCodes) {
  const auto dir = TempDir::Create();
  const std::string path = JoinPath(dir->path(), "db");
  ASSERT_TRUE(WriteFileAtomic(path, "this is no database at all").ok());
  auto database = Database::Open(path);
  ASSERT_TRUE(database.ok());
  const absl::Status corrupt = database->Execute("CREATE TABLE t (a)");
  EXPECT_TRUE(absl::IsDataLoss(corrupt));
  EXPECT_EQ(corrupt.message(),
            absl::StrCat("`", path, "`: file is not a database"));
  EXPECT_TRUE(absl::IsPermissionDenied(
      Database::Open(JoinPath(dir->path(), "no/such/folder")).status()));
  auto memory = Database::Open(":memory:");
  ASSERT_TRUE(memory.ok());
  EXPECT_EQ(memory->Prepare("SELEKT").status().message(),
            "database in memory: near \"SELEKT\": syntax error");
}

}  // namespace
}  // namespace assay::runtime
