#include "ci/bisect/commits/repository.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "ci/bisect/testing/small_repository.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::ci {
namespace {

TEST(RepositoryTest, ListsCommitsAlongFirstParents) {
  SmallRepository small;
  const std::string good = small.Commit({{"a", "1"}}, "first");
  const std::string second = small.Commit({{"a", "2"}}, "second \"commit\"");
  const std::string merge = small.Merge({{"b", "1"}}, "merge");
  const std::string bad = small.Commit({{"a", "3"}}, "last");
  const Repository repository(small.folder());
  const auto commits = repository.FirstParents(good, bad);
  ASSERT_TRUE(commits.ok()) << commits.status();
  ASSERT_EQ(commits->size(), 3);
  EXPECT_EQ((*commits)[0].hash, second);
  EXPECT_EQ((*commits)[0].subject, "second \"commit\"");
  EXPECT_EQ((*commits)[0].author, "Ada <ada@example.org>");
  EXPECT_EQ((*commits)[0].date.size(), 10);
  EXPECT_FALSE((*commits)[0].is_merge());
  EXPECT_EQ((*commits)[1].hash, merge);
  EXPECT_TRUE((*commits)[1].is_merge());
  EXPECT_EQ((*commits)[1].parents[0], second);
  EXPECT_EQ((*commits)[2].hash, bad);
  EXPECT_EQ(repository.Get(second).value_or(Commit()).subject,
            "second \"commit\"");
}

TEST(RepositoryTest, RejectsAGoodCommitThatIsNotOnTheLine) {
  SmallRepository small;
  const std::string first = small.Commit({{"a", "1"}}, "first");
  const std::string merge = small.Merge({{"b", "1"}}, "merge");
  const Repository repository(small.folder());
  const auto branch = repository.Resolve(merge + "^2");
  ASSERT_TRUE(branch.ok());
  const auto commits = repository.FirstParents(*branch, merge);
  EXPECT_EQ(commits.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(commits.status().message().find(first), std::string::npos);
  EXPECT_EQ(repository.FirstParents(merge, first).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(RepositoryTest, FindsWhereAMergedBranchStarted) {
  SmallRepository small;
  small.Commit({{"a", "1"}}, "first");
  const std::string fork = small.Commit({{"a", "2"}}, "second");
  const std::string merge = small.Merge({{"b", "1"}}, "merge");
  const Repository repository(small.folder());
  const auto commit = repository.Get(merge);
  ASSERT_TRUE(commit.ok()) << commit.status();
  ASSERT_TRUE(commit->is_merge());
  EXPECT_EQ(
      repository.MergeBase(commit->parents[0], commit->parents[1]).value_or(""),
      fork);
}

TEST(RepositoryTest, ResolvesNamesOfCommits) {
  SmallRepository small;
  const std::string first = small.Commit({{"a", "1"}}, "first");
  const std::string second = small.Commit({{"a", "2"}}, "second");
  const Repository repository(small.folder());
  EXPECT_EQ(repository.Resolve("HEAD~1").value_or(""), first);
  EXPECT_EQ(repository.Resolve(second.substr(0, 8)).value_or(""), second);
  EXPECT_EQ(repository.Resolve("--all").status().message(),
            "`--all` is no commit of this repository");
}

TEST(RepositoryTest, ChecksOutOneCommitAfterAnother) {
  SmallRepository small;
  const std::string first = small.Commit({{"a", "1"}, {"b", "1"}}, "first");
  const std::string second = small.Commit({{"a", "2"}}, "second");
  const auto scratch = TempDir::Create();
  ASSERT_TRUE(scratch.ok());
  const std::string tree = JoinPath(scratch->path(), "tree");
  const Repository repository(small.folder());
  ASSERT_TRUE(repository.CheckOut(first, tree).ok());
  EXPECT_EQ(ReadFile(JoinPath(tree, "a")).value_or(""), "1");
  ASSERT_TRUE(WriteFileAtomic(JoinPath(tree, "b"), "changed").ok());
  ASSERT_TRUE(WriteFileAtomic(JoinPath(tree, "c"), "new").ok());
  ASSERT_TRUE(repository.CheckOut(second, tree).ok());
  EXPECT_EQ(ReadFile(JoinPath(tree, "a")).value_or(""), "2");
  EXPECT_EQ(ReadFile(JoinPath(tree, "b")).value_or(""), "1");
  EXPECT_FALSE(FileExists(JoinPath(tree, "c")));
}

TEST(RepositoryTest, FilesHaveEqualObjectsIfTheirContentIsEqual) {
  SmallRepository small;
  const std::string first =
      small.Commit({{"a", "1"}, {"x/b c", "1"}, {"d", "2"}}, "first");
  const auto files = Repository(small.folder()).FilesOf(first);
  ASSERT_TRUE(files.ok()) << files.status();
  ASSERT_EQ(files->size(), 3);
  EXPECT_EQ(files->at("a"), files->at("x/b c"));
  EXPECT_NE(files->at("a"), files->at("d"));
}

}  // namespace
}  // namespace assay::ci
