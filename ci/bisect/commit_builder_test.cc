#include "ci/bisect/commit_builder.h"

#include <string>
#include <vector>

#include "ci/bisect/testing/small_repository.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::ci {
namespace {

// A repository whose `bazelw` makes a suite that writes an empty result.
class CommitBuilderTest : public ::testing::Test {
 protected:
  static constexpr char kBazel[] = R"(#!/bin/sh
echo "$@" >> bazel_calls
echo "compiling"
mkdir -p bazel-bin/suites bazel-bin/runtime/tools
cp suite.sh bazel-bin/suites/full
echo runtime > bazel-bin/runtime/tools/bench_artifact
)";
  static constexpr char kSuite[] = R"(#!/bin/sh
for argument do
  case $argument in --out=*) out=${argument#*=} ;; esac
done
echo "$BUILD_WORKSPACE_DIRECTORY" > "$out/workspace"
echo '{"schema_version":2,"started_at":"","commit":"","environment":{"fingerprint":"","identity":{},"state":{}},"rows":[],"remarks":[]}' > "$out/results.json"
)";

  CommitBuilderTest() {
    options_.folder = scratch_->path();
    options_.tree = JoinPath(scratch_->path(), "tree");
    options_.on_build = [this](const std::string& commit) {
      built_.push_back(commit);
    };
  }

  std::string Commit(const std::string& bazel, const std::string& suite) {
    return small_.Commit({{"bazelw", bazel}, {"suite.sh", suite}}, "change");
  }

  SmallRepository small_;
  const Repository repository_{small_.folder()};
  absl::StatusOr<TempDir> scratch_ = TempDir::Create();
  CommitBuilderOptions options_;
  std::vector<std::string> built_;
};

TEST_F(CommitBuilderTest, RunsTheSuiteOfTheCommitInItsWorktree) {
  const std::string commit = Commit(kBazel, kSuite);
  CommitBuilder builder(repository_, options_);
  EXPECT_FALSE(builder.IsDone(commit));
  const auto build = builder.Get(commit);
  ASSERT_TRUE(build.ok()) << build.status();
  EXPECT_TRUE((*build)->ok()) << (*build)->problem;
  EXPECT_TRUE(builder.IsDone(commit));
  EXPECT_EQ(ReadFile(JoinPath((*build)->folder, "workspace")).value_or(""),
            options_.tree + "\n");
  EXPECT_EQ((*build)->runtime_digest.size(), 64);
  EXPECT_EQ(ReadFile(JoinPath((*build)->folder, "build.log")).value_or(""),
            "compiling\n");
}

TEST_F(CommitBuilderTest, KeepsResultsForALaterProcess) {
  const std::string commit = Commit(kBazel, kSuite);
  ASSERT_TRUE(CommitBuilder(repository_, options_).Get(commit).ok());
  CommitBuilder later(repository_, options_);
  EXPECT_TRUE(later.IsDone(commit));
  ASSERT_TRUE(later.Get(commit).ok());
  EXPECT_EQ(built_.size(), 1);
}

TEST_F(CommitBuilderTest, CommitThatDoesNotBuildIsAResult) {
  const std::string commit = Commit(
      "#!/bin/sh\necho 'plan.cc:7: error: expected `;`' >&2\nexit 1\n", kSuite);
  CommitBuilder builder(repository_, options_);
  const auto build = builder.Get(commit);
  ASSERT_TRUE(build.ok()) << build.status();
  EXPECT_FALSE((*build)->ok());
  EXPECT_EQ((*build)->problem,
            "it does not build: plan.cc:7: error: expected `;`");
}

TEST_F(CommitBuilderTest, FailureOfBazelItselfIsAnError) {
  const std::string commit =
      Commit("#!/bin/sh\necho 'no space left' >&2\nexit 37\n", kSuite);
  CommitBuilder builder(repository_, options_);
  EXPECT_FALSE(builder.Get(commit).ok());
  EXPECT_FALSE(builder.IsDone(commit));
}

TEST_F(CommitBuilderTest, SuiteThatCrashesIsAResult) {
  const std::string commit = Commit(kBazel, "#!/bin/sh\nkill -SEGV $$\n");
  CommitBuilder builder(repository_, options_);
  const auto build = builder.Get(commit);
  ASSERT_TRUE(build.ok()) << build.status();
  EXPECT_EQ((*build)->problem, "its suite crashes: signal 11");
}

}  // namespace
}  // namespace assay::ci
