#include "reports/store/postgres/connection.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/store/postgres/testing/server_fixture.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ConnectionTest : public ServerFixture {
 protected:
  static Connection Connect() {
    auto connection = Connection::Open(server_->address());
    EXPECT_TRUE(connection.ok()) << connection.status();
    return *std::move(connection);
  }
};

TEST_F(ConnectionTest, BindsValuesThatLookLikeSql) {
  Connection connection = Connect();
  const std::string text = "x'); DROP TABLE t; --\n\"\\ \xc3\xa4 $1";
  const auto rows = connection.Run("SELECT $1::text, length($2), $3::int + 1",
                                   {text, std::nullopt, "41"});
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 1);
  EXPECT_EQ(rows->Text(0, 0), text);
  EXPECT_TRUE(rows->IsNull(0, 1));
  EXPECT_EQ(rows->Number(0, 2), 42);
  EXPECT_EQ(rows->Real(0, 2), 42.0);
}

TEST_F(ConnectionTest, RejectsValueWithZeroByte) {
  EXPECT_TRUE(absl::IsInvalidArgument(
      Connect().Run("SELECT $1", {std::string("a\0b", 3)}).status()));
}

TEST_F(ConnectionTest, RollsFailedTransactionsBack) {
  Connection connection = Connect();
  ASSERT_TRUE(connection.Run("CREATE TABLE once (a int UNIQUE)").ok());
  const absl::Status status = connection.Transaction([&] {
    EXPECT_TRUE(connection.Run("INSERT INTO once VALUES (1)").ok());
    return connection.Run("INSERT INTO once VALUES (1)").status();
  });
  EXPECT_TRUE(absl::IsAlreadyExists(status)) << status;
  const auto rows = connection.Run("SELECT count(*) FROM once");
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ(rows->Number(0, 0), 0);
}

TEST_F(ConnectionTest, CountsChangedRows) {
  Connection connection = Connect();
  const auto rows =
      connection.Run("CREATE TABLE many AS SELECT generate_series(1, 5) AS a");
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ(connection.Run("DELETE FROM many WHERE a > 2")->affected(), 3);
}

TEST_F(ConnectionTest, ErrorsSayWhatIsWrong) {
  Connection connection = Connect();
  const absl::Status table = connection.Run("SELECT * FROM none").status();
  EXPECT_TRUE(absl::IsNotFound(table)) << table;
  EXPECT_EQ(table.message(), "relation \"none\" does not exist");
  EXPECT_TRUE(absl::IsInternal(connection.Run("SELEC").status()));
  std::string address = server_->address();
  address.replace(address.find("/assay?"), 7, "/other?");
  const absl::Status database = Connection::Open(address).status();
  EXPECT_TRUE(absl::IsNotFound(database)) << database;
  EXPECT_THAT(database.message(), HasSubstr("\"other\""));
}

TEST_F(ConnectionTest, LostConnectionIsUnavailable) {
  Connection connection = Connect();
  server_->Kill();
  EXPECT_TRUE(absl::IsUnavailable(connection.Run("SELECT 1").status()));
  EXPECT_TRUE(
      absl::IsUnavailable(Connection::Open(server_->address()).status()));
  ASSERT_TRUE(server_->Resume().ok());
  EXPECT_TRUE(Connect().Run("SELECT 1").ok());
}

TEST(AddressTest, RejectsPasswordsWithoutQuotingThem) {
  for (const char* address :
       {"postgres://ci:hunter2@db/assay",
        "postgres://db/assay?password=hunter2",
        "postgres://ci:hunter2@db:x/assay", "postgres://db/assay?hunter2"}) {
    const absl::Status status = CheckAddress(address);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_THAT(status.message(), Not(HasSubstr("hunter2")));
    EXPECT_EQ(Connection::Open(address).status(), status);
  }
  EXPECT_TRUE(CheckAddress("postgres://ci@db/assay").ok());
}

// The libraries are those of the lock, except for the C library.
TEST(AddressTest, NoLibraryIsOfTheMachine) {
  ASSERT_TRUE(CheckAddress("postgres://ci@db/assay").ok());
  const auto maps = ReadFile("/proc/self/maps");
  ASSERT_TRUE(maps.ok()) << maps.status();
  int locked = 0;
  for (const absl::string_view line : absl::StrSplit(*maps, '\n')) {
    const size_t path = line.find('/');
    if (path == absl::string_view::npos) continue;
    const absl::string_view file = line.substr(path);
    if (!absl::StrContains(file, ".so")) continue;
    if (absl::StrContains(file, "debian_libpq/")) {
      ++locked;
      continue;
    }
    const absl::string_view name = file.substr(file.rfind('/') + 1);
    EXPECT_THAT(
        std::string(name),
        AnyOf("libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1",
              "libpthread.so.0", "libresolv.so.2", "ld-linux-x86-64.so.2"));
  }
  EXPECT_GT(locked, 20);
}

TEST(AddressTest, ServerThatIsNotThereIsUnavailable) {
  const absl::Status status =
      Connection::Open("postgres:///assay?user=ci&host=/nonexistent").status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_EQ(status.message(),
            "connection to server on socket \"/nonexistent/.s.PGSQL.5432\" "
            "failed: No such file or directory");
}

}  // namespace
}  // namespace assay::reports
