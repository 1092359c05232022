#include "runtime/sqlite/cache_database.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

constexpr char kTables[] = "CREATE TABLE items (name TEXT);";

class CacheDatabaseTest : public ::testing::Test {
 protected:
  CacheDatabaseTest()
      : dir_(*TempDir::Create()), path_(JoinPath(dir_.path(), "cache")) {}

  Database Open() {
    auto database = Database::Open(path_);
    EXPECT_TRUE(database.ok()) << database.status();
    return *std::move(database);
  }

  TempDir dir_;
  std::string path_;
};

TEST_F(CacheDatabaseTest, MakesTablesOnce) {
  for (int i = 0; i < 2; ++i) {
    Database database = Open();
    const absl::Status prepared = PrepareCache(kTables, 3, &database);
    EXPECT_TRUE(prepared.ok()) << prepared;
    EXPECT_TRUE(database.Execute("INSERT INTO items VALUES ('a')").ok());
  }
  Database database = Open();
  auto count = database.Prepare("SELECT count(*) FROM items");
  ASSERT_TRUE(count.ok() && count->Step().ok());
  EXPECT_EQ(count->Number(0), 2);
}

TEST_F(CacheDatabaseTest, OtherVersionIsDataLoss) {
  Database database = Open();
  ASSERT_TRUE(PrepareCache(kTables, 3, &database).ok());
  EXPECT_TRUE(absl::IsDataLoss(PrepareCache(kTables, 4, &database)));
}

TEST_F(CacheDatabaseTest, DoesNotWaitForReaders) {
  Database reader = Open();
  ASSERT_TRUE(PrepareCache(kTables, 3, &reader).ok());
  ASSERT_TRUE(reader.Execute("BEGIN; SELECT * FROM items").ok());
  Database database = Open();
  ASSERT_TRUE(database.Execute("PRAGMA busy_timeout = 0").ok());
  const absl::Status prepared = PrepareCache(kTables, 3, &database);
  EXPECT_TRUE(prepared.ok()) << prepared;
}

}  // namespace
}  // namespace assay::runtime
