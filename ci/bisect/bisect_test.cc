#include "ci/bisect/bisect.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ci/bisect/testing/small_repository.h"
#include "gtest/gtest.h"
#include "reports/result/results_json.h"
#include "reports/result/run_folder.h"
#include "reports/store/run_log.h"
#include "runtime/artifact/artifact_store.h"
#include "runtime/base/file.h"

namespace assay::ci {
namespace {

using ::assay::stats::Verdict;

// A repository with a `bazelw` of its own. Its suite copies a prepared folder
// of results, the name of which is in the file `results` of the commit.
class BisectTest : public ::testing::Test {
 protected:
  static constexpr char kBazel[] = R"(#!/bin/sh
case $1 in
  query)
    echo '<query version="2">'
    echo '    <source-file location="x" name="//:results"/>'
    echo '</query>' ;;
  build)
    ! grep -q broken results || { echo 'error: it is broken' >&2; exit 1; }
    mkdir -p bazel-bin/suites bazel-bin/runtime/tools
    cp suite.sh bazel-bin/suites/full
    echo runtime > bazel-bin/runtime/tools/bench_artifact ;;
esac
)";
  static constexpr char kSuite[] = R"(#!/bin/sh
for argument do
  case $argument in --out=*) out=${argument#*=} ;; esac
done
cp -r "$(cat "$BUILD_WORKSPACE_DIRECTORY/results")/." "$out"
)";

  BisectTest() {
    setenv("XDG_CACHE_HOME", Path("cache").c_str(), /*overwrite=*/1);
    MakeResults("works", Verdict::kNoBaseline);
    MakeResults("wrong", Verdict::kWrongOutput);
    for (const char* name : {"other", "works2", "works3"}) {
      MakeResults(name, Verdict::kNoBaseline);
    }
    MakeResults("wrong2", Verdict::kWrongOutput);
    options_.bench.workspace = small_.folder();
    commits_.push_back(small_.Commit(
        {{"bazelw", kBazel}, {"suite.sh", kSuite}, {"results", Path("works")}},
        "start"));
  }

  std::string Path(const std::string& name) const {
    return JoinPath(scratch_->path(), name);
  }

  static reports::Row NetRow() {
    reports::Row row;
    row.cell.model = "net";
    row.cell.device = "host";
    return row;
  }

  void MakeResults(const std::string& name, Verdict verdict) {
    runtime::Artifact artifact;
    artifact.calls.resize(1);
    artifact.calls[0].symbol = "k";
    artifact.calls[0].code_digest = "1";
    const std::string folder = Path(name);
    ASSERT_TRUE(runtime::ArtifactStore(reports::ArtifactFolder(folder))
                    .Put(artifact)
                    .ok());
    reports::RunResult result;
    reports::Row row = NetRow();
    row.verdict = verdict;
    row.reason = "element 3 is 7, not 5";
    row.build.artifact_digest = runtime::Digest(artifact);
    result.rows.push_back(row);
    ASSERT_TRUE(WriteFileAtomic(JoinPath(folder, "results.json"),
                                reports::ResultsJson(result))
                    .ok());
  }

  // Commits whose results are in these folders; `same` changes another file,
  // and `broken` cannot be built.
  void Commit(const std::vector<std::string>& results) {
    for (const std::string& name : results) {
      const std::string number = absl::StrCat(commits_.size());
      if (name == "same") {
        commits_.push_back(small_.Commit({{"README", number}}, "write"));
      } else {
        commits_.push_back(small_.Commit(
            {{"results", name == "broken" ? name + number : Path(name)}},
            "change " + number));
      }
    }
  }

  absl::StatusOr<BisectOutcome> Run() {
    options_.good = commits_.front();
    options_.bad = commits_.back();
    return Bisect(options_);
  }

  SmallRepository small_;
  absl::StatusOr<TempDir> scratch_ = TempDir::Create();
  BisectOptions options_;
  std::vector<std::string> commits_;
};

TEST_F(BisectTest, FindsTheCommitWithTheFirstWrongOutput) {
  Commit({"same", "same", "wrong", "same", "same"});
  const auto outcome = Run();
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  const BisectReport& report = *outcome->report;
  ASSERT_EQ(report.cells.size(), 1);
  EXPECT_EQ(report.cells[0].candidates, 2);
  ASSERT_EQ(report.cells[0].findings.size(), 1);
  const Finding& finding = report.cells[0].findings[0];
  EXPECT_EQ(finding.suspects, std::vector<int>{3});
  EXPECT_EQ(finding.change, "wrong output: element 3 is 7, not 5");
  EXPECT_EQ(report.builds, 2);
  EXPECT_TRUE(FileExists(JoinPath(outcome->folder, "report.md")));
  EXPECT_TRUE(FileExists(JoinPath(outcome->folder, "report.json")));
}

TEST_F(BisectTest, SecondRunBuildsNothing) {
  Commit({"works", "same", "wrong"});
  ASSERT_TRUE(Run().ok());
  const auto again = Run();
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->report->builds, 0);
  EXPECT_EQ(again->report->cells[0].findings.size(), 1);
}

TEST_F(BisectTest, BrokenCommitsLeaveARange) {
  Commit({"broken", "broken", "wrong"});
  const auto outcome = Run();
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  ASSERT_EQ(outcome->report->cells[0].findings.size(), 1);
  EXPECT_EQ(outcome->report->cells[0].findings[0].suspects,
            (std::vector<int>{1, 2, 3}));
}

TEST_F(BisectTest, SkippedCommitIsNotBuilt) {
  Commit({"wrong", "wrong"});
  // The second commit builds the same as the first one.
  Commit({"works", "wrong"});
  options_.skip = {commits_[3]};
  const auto outcome = Run();
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_FALSE(FileExists(
      JoinPath(outcome->folder, absl::StrCat("builds/", commits_[3]))));
}

TEST_F(BisectTest, DryRunBuildsNothing) {
  Commit({"wrong"});
  options_.dry_run = true;
  const auto outcome = Run();
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_FALSE(outcome->report.has_value());
  EXPECT_FALSE(FileExists(
      JoinPath(outcome->folder, absl::StrCat("builds/", commits_[0]))));
}

TEST_F(BisectTest, CommitsThatBuildTheSameHaveNoCulprit) {
  Commit({"same", "same"});
  const auto outcome = Run();
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->report->cells[0].status, CellStatus::kSameProgram);
}

TEST_F(BisectTest, LedgerSavesBuilds) {
  Commit({"works", "other", "works2", "works3", "wrong", "wrong2"});
  const std::string store = Path("store");
  // The code changed at commit 5 alone.
  for (size_t i = 0; i < commits_.size(); ++i) {
    reports::RunResult header;
    header.commit = commits_[i];
    auto log = reports::RunLog::Open(store, "job", header, /*resume=*/false);
    ASSERT_TRUE(log.ok()) << log.status();
    reports::Row row = NetRow();
    row.build.runtime_digest = "r";
    row.build.code = {{"k", {"n"}, i < 5 ? "1" : "2"}};
    ASSERT_TRUE((*log)->Append("cell", row).ok());
    ASSERT_TRUE((*log)->Finish().ok());
  }
  options_.stores = {store};
  const auto outcome = Run();
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->report->builds, 2);
  ASSERT_EQ(outcome->report->cells.size(), 1);
  ASSERT_EQ(outcome->report->cells[0].findings.size(), 1);
  EXPECT_EQ(outcome->report->cells[0].findings[0].suspects,
            std::vector<int>{5});
}

TEST_F(BisectTest, ContinuesAfterItsTimeWasOver) {
  Commit({"works", "works2", "other", "works", "wrong"});
  options_.time_limit_s = 0;
  EXPECT_EQ(Run().status().code(), absl::StatusCode::kDeadlineExceeded);
  options_.time_limit_s.reset();
  const auto outcome = Run();
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->report->cells[0].findings.size(), 1);
}

TEST_F(BisectTest, DescendsIntoTheMergeThatIsTheCulprit) {
  Commit({"same"});
  const std::string merge =
      small_.Merge({{"results", Path("wrong")}}, "merge a branch");
  commits_.push_back(merge);
  options_.descend = true;
  const auto outcome = Run();
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  const BisectReport& report = *outcome->report;
  ASSERT_EQ(report.branches.size(), 1);
  EXPECT_EQ(report.branches[0].merge, merge);
  ASSERT_EQ(report.branches[0].cells.size(), 1);
  ASSERT_EQ(report.branches[0].cells[0].findings.size(), 1);
  const int suspect = report.branches[0].cells[0].findings[0].suspects[0];
  EXPECT_EQ(report.branches[0].commits[static_cast<size_t>(suspect)].subject,
            "on the branch");
}

TEST_F(BisectTest, RejectsFlagsThatItSetsAndEndsInTheWrongOrder) {
  Commit({"wrong"});
  options_.bench.flags = {"--out=/tmp"};
  EXPECT_EQ(Run().status().message(), "the bisection sets `--out` itself");
  options_.bench.flags = {"--cells=*"};
  EXPECT_EQ(Run().status().message(),
            "the bisection sets `--cells` itself; use `--cell`");
  options_.bench.flags.clear();
  options_.good = commits_[1];
  options_.bad = commits_[0];
  EXPECT_EQ(Bisect(options_).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(BisectTest, StepJudgesOneCommit) {
  Commit({"same", "wrong", "broken"});
  options_.good = commits_[0];
  const auto step = [&](int commit) {
    options_.bad = commits_[static_cast<size_t>(commit)];
    const auto result = BisectStep(options_);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.value_or(StepResult::kSkip);
  };
  EXPECT_EQ(step(0), StepResult::kGood);
  EXPECT_EQ(step(1), StepResult::kGood);
  EXPECT_EQ(step(2), StepResult::kBad);
  EXPECT_EQ(step(3), StepResult::kSkip);
  // If the outcome is what is bisected, a commit that does not build is bad.
  options_.cell.metric = Metric::kOutcome;
  EXPECT_EQ(step(3), StepResult::kBad);
}

}  // namespace
}  // namespace assay::ci
