#include "reports/store/access/store_access.h"

#include <stdlib.h>

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/postgres/shared_store.h"
#include "reports/store/postgres/testing/server.h"
#include "reports/store/run_log.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

TEST(StoreAccessTest, FolderAndDatabaseGiveTheSame) {
  const TempDir folder = *TempDir::Create();
  for (const char* start : {"2024-05-02", "2024-05-01"}) {
    RunResult header = SampleResult();
    header.started_at = start;
    auto log = RunLog::Open(folder.path(), start, header, /*resume=*/false);
    ASSERT_TRUE(log.ok()) << log.status();
    int64_t place = 9;
    for (const Row& row : header.rows) {
      ASSERT_TRUE((*log)->Append(std::to_string(place), row, {}, place).ok());
      --place;
    }
    ASSERT_TRUE((*log)->Finish().ok());
  }
  const auto server = PostgresServer::Start();
  ASSERT_TRUE(server.ok()) << server.status();
  const std::string& address = (*server)->address();
  ASSERT_TRUE(SharedStore::Open(address)->Push(folder.path()).ok());

  const auto runs = ReadStore(folder.path());
  const auto shared_runs = ReadStore(address);
  ASSERT_TRUE(runs.ok()) << runs.status();
  ASSERT_TRUE(shared_runs.ok()) << shared_runs.status();
  ASSERT_EQ(runs->runs.size(), 2u);
  EXPECT_TRUE(runs->runs == shared_runs->runs);

  Query query;
  query.since = "2024-05-02";
  const auto found = FindRecords(folder.path(), query);
  const auto shared_found = FindRecords(address, query);
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_TRUE(shared_found.ok()) << shared_found.status();
  EXPECT_EQ(found->records.size(), 5u);
  EXPECT_TRUE(found->records == shared_found->records);
}

TEST(StoreAccessTest, AcknowledgementsAndLevelsOfBothKinds) {
  const TempDir dir = *TempDir::Create();
  setenv("XDG_CACHE_HOME", dir.path().c_str(), 1);
  const auto server = PostgresServer::Start();
  ASSERT_TRUE(server.ok()) << server.status();
  const std::string folder = JoinPath(dir.path(), "store");
  auto log = RunLog::Open(folder, "job", SampleResult(), /*resume=*/false);
  ASSERT_TRUE(log.ok()) << log.status();
  for (const Row& row : SampleResult().rows) {
    ASSERT_TRUE((*log)->Append(row.reason + row.cell.model, row).ok());
  }
  const std::string& address = (*server)->address();
  ASSERT_TRUE(SharedStore::Open(address)->Push(folder).ok());
  const auto levels = LatestLevels(folder);
  const auto shared_levels = LatestLevels(address);
  ASSERT_TRUE(levels.ok()) << levels.status();
  ASSERT_TRUE(shared_levels.ok()) << shared_levels.status();
  EXPECT_EQ(levels->size(), 4u);
  EXPECT_EQ(*levels, *shared_levels);

  Acknowledgement acknowledgement;
  acknowledgement.cell = "*";
  acknowledgement.levels = *levels;
  for (const std::string& store : {folder, address}) {
    EXPECT_TRUE(AddAcknowledgement(store, acknowledgement).ok());
    const auto all = FindAcknowledgements(store);
    ASSERT_TRUE(all.ok()) << all.status();
    ASSERT_EQ(all->acknowledgements.size(), 1u);
    EXPECT_TRUE(all->acknowledgements[0] == acknowledgement);
  }
  (*server)->Kill();
  EXPECT_TRUE(
      absl::IsUnavailable(AddAcknowledgement(address, acknowledgement)));
  unsetenv("XDG_CACHE_HOME");
}

TEST(StoreAccessTest, MissingStoreIsAnError) {
  const TempDir dir = *TempDir::Create();
  EXPECT_TRUE(
      absl::IsNotFound(ReadStore(JoinPath(dir.path(), "none")).status()));
  EXPECT_TRUE(absl::IsUnavailable(
      ReadStore("postgres:///assay?host=" + dir.path()).status()));
}

}  // namespace
}  // namespace assay::reports
