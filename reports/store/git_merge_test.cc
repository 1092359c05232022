// Two branches of a git repository that both add runs to a store merge without
// a conflict.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/acknowledgement_log.h"
#include "reports/store/history.h"
#include "reports/store/run_log.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"

namespace assay::reports {
namespace {

class GitMergeTest : public ::testing::Test {
 protected:
  GitMergeTest()
      : dir_(*TempDir::Create()), store_(JoinPath(dir_.path(), "results")) {}

  // Returns true if git succeeds.
  bool Git(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"/usr/bin/env", "git", "-C", dir_.path(), "-c",
                      "user.name=ada", "-c", "user.email=ada@example.org"});
    const auto result =
        runtime::RunProcess(arguments, runtime::ProcessOptions());
    EXPECT_TRUE(result.ok()) << result.status();
    if (result.ok() && !result->ok()) ADD_FAILURE() << result->err;
    return result.ok() && result->ok();
  }

  // Adds a run and an acknowledgement, and commits them.
  void Commit(const std::string& started_at) {
    RunResult header = SampleResult();
    header.started_at = started_at;
    {
      auto log = RunLog::Open(store_, started_at, header, /*resume=*/false);
      ASSERT_TRUE(log.ok()) << log.status();
      ASSERT_TRUE((*log)->Append("cell", header.rows[0]).ok());
      ASSERT_TRUE((*log)->Finish().ok());
    }
    Acknowledgement acknowledgement;
    acknowledgement.made_at = started_at;
    ASSERT_TRUE(AppendAcknowledgement(store_, acknowledgement).ok());
    ASSERT_TRUE(Git({"add", "--all"}));
    ASSERT_TRUE(Git({"commit", "--quiet", "--message=" + started_at}));
  }

  TempDir dir_;
  std::string store_;
};

TEST_F(GitMergeTest, BranchesMergeWithoutConflict) {
  ASSERT_TRUE(Git({"init", "--quiet", "--initial-branch=main"}));
  Commit("2024-05-01T00:00:00Z");
  ASSERT_TRUE(Git({"checkout", "--quiet", "-b", "topic"}));
  Commit("2024-05-03T00:00:00Z");
  Commit("2024-05-04T00:00:00Z");
  ASSERT_TRUE(Git({"checkout", "--quiet", "main"}));
  Commit("2024-05-02T00:00:00Z");
  ASSERT_TRUE(Git({"merge", "--quiet", "--no-edit", "topic"}));

  const auto history = ReadHistory(store_);
  ASSERT_TRUE(history.ok()) << history.status();
  EXPECT_TRUE(history->corrupt_records.empty());
  const auto log = ReadAcknowledgements(store_);
  ASSERT_TRUE(log.ok()) << log.status();
  ASSERT_EQ(history->runs.size(), 4u);
  ASSERT_EQ(log->acknowledgements.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    const std::string time = "2024-05-0" + std::to_string(i + 1) + "T00:00:00Z";
    EXPECT_EQ(history->runs[i].started_at, time);
    EXPECT_EQ(log->acknowledgements[i].made_at, time);
  }
}

}  // namespace
}  // namespace assay::reports
