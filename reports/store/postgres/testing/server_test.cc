#include "reports/store/postgres/testing/server.h"

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/store/postgres/connection.h"

namespace assay::reports {
namespace {

using User = PostgresServer::User;

// Returns the first value of the answer.
std::string Ask(const PostgresServer& server, const std::string& sql) {
  auto connection = Connection::Open(server.address());
  if (!connection.ok()) return connection.status().ToString();
  const auto rows = connection->Run(sql);
  if (!rows.ok()) return rows.status().ToString();
  return rows->size() == 0 ? "" : rows->Text(0, 0);
}

TEST(PostgresServerTest, KeepsWhatWasCommittedWhenItIsKilled) {
  const auto server = PostgresServer::Start();
  ASSERT_TRUE(server.ok()) << server.status();
  EXPECT_THAT(Ask(**server, "SHOW server_version"),
              ::testing::StartsWith("15."));
  EXPECT_EQ(Ask(**server, "CREATE TABLE t AS SELECT 7 AS a"), "");
  (*server)->Kill();
  EXPECT_THAT(Ask(**server, "SELECT a FROM t"),
              ::testing::StartsWith("UNAVAILABLE"));
  ASSERT_TRUE((*server)->Resume().ok());
  EXPECT_EQ(Ask(**server, "SELECT a FROM t"), "7");
}

TEST(PostgresServerTest, RemovesItsFolder) {
  std::string folder;
  {
    const auto server = PostgresServer::Start();
    ASSERT_TRUE(server.ok()) << server.status();
    folder = (*server)->data();
    EXPECT_TRUE(std::filesystem::exists(folder));
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(PostgresServerTest, RunsWithoutNamespaces) {
  const auto server = PostgresServer::Start({}, User::kNobody);
  if (absl::IsUnavailable(server.status())) GTEST_SKIP() << server.status();
  ASSERT_TRUE(server.ok()) << server.status();
  EXPECT_EQ(Ask(**server, "SELECT 1"), "1");
}

}  // namespace
}  // namespace assay::reports
