// End-to-end tests of the commands that read and write stores.
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/postgres/testing/server.h"
#include "reports/store/record_log.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"

namespace assay::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class CommandsTest : public ::testing::Test {
 protected:
  CommandsTest()
      : dir_(*TempDir::Create()), store_(JoinPath(dir_.path(), "store")) {
    auto writer = LogWriter::Create(store_);
    EXPECT_TRUE(writer.ok()) << writer.status();
    for (const char* day : {"01", "02", "03"}) {
      Record record{day, "job", "cell", SampleResult()};
      record.result.started_at = std::string("2024-05-") + day + "T12:00:00Z";
      record.result.rows.resize(1);
      EXPECT_TRUE((*writer)->Append(record).ok());
    }
  }

  // Returns the exit code and sets out_ and err_.
  int Run(const std::string& program, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "reports/" + program);
    const auto result =
        runtime::RunProcess(arguments, runtime::ProcessOptions());
    EXPECT_TRUE(result.ok()) << result.status();
    out_ = result->out;
    err_ = result->err;
    return result->exit_code;
  }

  size_t Lines() const {
    return static_cast<size_t>(std::count(out_.begin(), out_.end(), '\n'));
  }

  TempDir dir_;
  std::string store_;
  std::string out_;
  std::string err_;
};

TEST_F(CommandsTest, QueryListsMatchingRecords) {
  EXPECT_EQ(Run("query", {"--store=" + store_}), 0);
  EXPECT_EQ(Lines(), 4u);
  EXPECT_THAT(err_, IsEmpty());
  EXPECT_EQ(Run("query", {"--store", store_, "--since=2024-05-02",
                          "--until=2024-05-03", "--format=csv"}),
            0);
  EXPECT_EQ(Lines(), 2u);
  EXPECT_THAT(out_, HasSubstr("\n02,2024-05-02T12:00:00Z,0123"));
  EXPECT_EQ(Run("query", {"--store=" + store_, "--model=none"}), 0);
  EXPECT_EQ(Lines(), 1u);
  EXPECT_EQ(Run("query", {"--store=" + store_, "--format=json"}), 0);
  EXPECT_THAT(out_, StartsWith("[\n{\"id\":\""));
}

TEST_F(CommandsTest, QueryWarnsOfCorruptRecords) {
  ASSERT_TRUE(WriteFileAtomic(JoinPath(store_, "x.jsonl"), "hm").ok());
  EXPECT_EQ(Run("query", {"--store=" + store_}), 0);
  EXPECT_EQ(Lines(), 4u);
  EXPECT_EQ(err_, "warning: `x.jsonl:1`: the line of 2 bytes is truncated\n");
}

TEST_F(CommandsTest, QueryReportsUsageErrors) {
  EXPECT_EQ(Run("query", {}), 2);
  EXPECT_THAT(err_, StartsWith("error: `--store` is missing"));
  EXPECT_EQ(Run("query", {"--store=" + dir_.path() + "/none"}), 2);
  EXPECT_THAT(err_, HasSubstr("/none`"));
  EXPECT_EQ(Run("query", {"--store=" + store_, "--since=soon"}), 2);
  EXPECT_THAT(err_, StartsWith("error: `--since` is `soon`; it must be a day"));
  EXPECT_EQ(Run("query", {"--store=" + store_, "--format=xml"}), 2);
  EXPECT_THAT(err_, StartsWith("error: `--format` is `xml`; it must be"));
  EXPECT_EQ(Run("query", {"--stroe=" + store_}), 2);
  EXPECT_THAT(err_, HasSubstr("(see `--help`)"));
  EXPECT_EQ(Run("query", {"--store=/dev/null"}), 2);
  EXPECT_EQ(err_, "error: `/dev/null` is not a folder\n");
}

TEST_F(CommandsTest, FoldersInTheStoreAreIgnored) {
  ASSERT_TRUE(MakeDirs(JoinPath(store_, "x.jsonl")).ok());
  EXPECT_EQ(Run("query", {"--store=" + store_}), 0);
  EXPECT_EQ(err_, "");
  EXPECT_EQ(Run("prune", {"--store=" + store_, "--baselines=" + dir_.path(),
                          "--dry_run"}),
            0);
}

TEST_F(CommandsTest, UnreadableStoreIsAnInfrastructureError) {
  // Reading this file fails, for every user.
  ASSERT_EQ(symlink("/proc/self/mem", JoinPath(store_, "x.jsonl").c_str()), 0);
  EXPECT_EQ(Run("query", {"--store=" + store_}), 5);
  EXPECT_THAT(err_, HasSubstr("x.jsonl`"));
  EXPECT_EQ(Run("prune", {"--store=" + store_, "--baselines=" + dir_.path()}),
            5);
}

TEST_F(CommandsTest, PruneDropsOldRecords) {
  const std::vector<std::string> flags = {"--store=" + store_, "--keep_days=1",
                                          "--keep_per_cell=1",
                                          "--baselines=" + dir_.path()};
  std::vector<std::string> dry = flags;
  dry.push_back("--dry_run");
  EXPECT_EQ(Run("prune", dry), 0);
  EXPECT_EQ(out_,
            "would drop 2 of 3 records; kept: 0 younger than --keep_days, 1 "
            "among the newest of their cell, 0 in baselines, 0 in use\n");
  EXPECT_EQ(Run("prune", flags), 0);
  EXPECT_THAT(out_, StartsWith("dropped 2 of 3 records"));
  EXPECT_EQ(Run("query", {"--store=" + store_}), 0);
  EXPECT_EQ(Lines(), 2u);
}

TEST_F(CommandsTest, PruneReportsUsageErrors) {
  EXPECT_EQ(Run("prune", {}), 2);
  EXPECT_THAT(err_, StartsWith("error: `--store` is missing"));
  EXPECT_EQ(Run("prune", {"--store=" + store_, "--baselines=/none"}), 2);
  EXPECT_THAT(err_, StartsWith("error: `--baselines` is `/none`"));
  EXPECT_EQ(Run("prune", {"--store=" + store_, "--keep_per_cell=0"}), 2);
  const std::string baselines = "--baselines=" + dir_.path();
  EXPECT_EQ(Run("prune", {"--store=" + dir_.path() + "/none", baselines}), 2);
  EXPECT_EQ(Run("prune", {"--store=/dev/null", baselines}), 2);
}

TEST_F(CommandsTest, HelpDescribesFlagsAndExitCodes) {
  for (const char* program : {"query", "prune"}) {
    EXPECT_EQ(Run(program, {"--help"}), 0);
    for (const char* text :
         {"--store", "default", "Exit codes: 0", "2 usage"}) {
      EXPECT_THAT(out_, HasSubstr(text)) << program;
    }
  }
}

TEST_F(CommandsTest, AcknowledgesTheLatestLevel) {
  EXPECT_EQ(Run("acknowledge",
                {"--store=" + store_, "--cell=resnet18/*", "--author=ada",
                 "--reason=known", "--until=2999-01-01"}),
            0)
      << err_;
  EXPECT_THAT(out_, StartsWith("acknowledge resnet18/resnet18/host/"));
  EXPECT_EQ(Lines(), 1u);
  EXPECT_EQ(Run("acknowledge", {"--store=" + store_, "--list"}), 0);
  EXPECT_EQ(Lines(), 2u);
  EXPECT_THAT(out_, HasSubstr("2999-01-01T00:00:00Z"));
  EXPECT_THAT(out_, HasSubstr("known"));
}

TEST_F(CommandsTest, AcknowledgeReportsUsageErrors) {
  const std::vector<std::string> good = {"--store=" + store_, "--cell=*",
                                         "--author=ada", "--reason=known"};
  const auto with = [&](const std::string& flag) {
    std::vector<std::string> arguments = good;
    arguments.push_back(flag);
    return arguments;
  };
  EXPECT_EQ(Run("acknowledge", with("--kind=never")), 2);
  EXPECT_THAT(err_, HasSubstr("`never` is none of acknowledge, bless"));
  EXPECT_EQ(Run("acknowledge", with("--until=2001-01-01")), 2);
  EXPECT_THAT(err_, HasSubstr("`2001-01-01`, which is over"));
  EXPECT_EQ(Run("acknowledge", {"--store=" + store_, "--cell=*"}), 2);
  EXPECT_THAT(err_, HasSubstr("`--reason` is missing"));
  EXPECT_EQ(Run("acknowledge", {"--store=" + store_, "--cell=none",
                                "--author=ada", "--reason=known"}),
            2);
  EXPECT_THAT(err_, HasSubstr("no cell that was timed matches"));
}

TEST_F(CommandsTest, PushesAFolderToADatabase) {
  const auto server = PostgresServer::Start();
  ASSERT_TRUE(server.ok()) << server.status();
  const std::string database = "--store=" + (*server)->address();
  EXPECT_EQ(Run("push", {"--from=" + store_, database}), 0) << err_;
  EXPECT_EQ(out_, "added 3 of 3 records that were sent\n");
  EXPECT_EQ(Run("push", {"--from=" + store_, database}), 0) << err_;
  EXPECT_EQ(out_, "added 0 of 0 records that were sent\n");
  EXPECT_EQ(Run("query", {"--store=" + store_}), 0);
  const std::string expected = out_;
  EXPECT_EQ(Run("query", {database}), 0) << err_;
  EXPECT_EQ(out_, expected);
  (*server)->Kill();
  EXPECT_EQ(Run("query", {database}), 5);
  EXPECT_EQ(Run("push", {"--from=" + store_, "--store=" + store_}), 2);
  EXPECT_EQ(Run("push", {"--from=" + store_, "--store=postgres://a:b@c/d"}), 2);
  EXPECT_THAT(err_, HasSubstr("contains a password"));
}

}  // namespace
}  // namespace assay::reports
