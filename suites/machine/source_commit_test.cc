#include "suites/machine/source_commit.h"

#include <string>

#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"

namespace assay::suites {
namespace {

bool Git(const std::string& folder, std::vector<std::string> arguments) {
  std::vector<std::string> command = {
      "/usr/bin/env", "git",         "-C", folder,
      "-c",           "user.name=n", "-c", "user.email=e@example.org"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto result = runtime::RunProcess(command, runtime::ProcessOptions());
  return result.ok() && result->ok();
}

TEST(SourceCommitTest, ReturnsTheCheckedOutCommit) {
  const auto dir = TempDir::Create();
  EXPECT_EQ(SourceCommit(""), "");
  EXPECT_EQ(SourceCommit(JoinPath(dir->path(), "nowhere")), "");
  if (!Git(dir->path(), {"init"})) GTEST_SKIP() << "there is no git";
  EXPECT_EQ(SourceCommit(dir->path()), "");
  const std::string file = JoinPath(dir->path(), "file");
  ASSERT_TRUE(WriteFileAtomic(file, "one").ok());
  ASSERT_TRUE(Git(dir->path(), {"add", "file"}));
  ASSERT_TRUE(Git(dir->path(), {"commit", "-m", "one"}));
  const std::string commit = SourceCommit(dir->path());
  EXPECT_EQ(commit.size(), 40u);
  EXPECT_EQ(commit.find_first_not_of("0123456789abcdef"), std::string::npos);
  // Untracked files are not part of the source.
  ASSERT_TRUE(WriteFileAtomic(JoinPath(dir->path(), "other"), "x").ok());
  EXPECT_EQ(SourceCommit(dir->path()), commit);
  ASSERT_TRUE(WriteFileAtomic(file, "two").ok());
  EXPECT_EQ(SourceCommit(dir->path()), commit + "+");
}

}  // namespace
}  // namespace assay::suites
