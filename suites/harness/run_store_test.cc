// Tests what a run writes to a store, and how an interrupted run is continued.
#include <stdlib.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/run_folder.h"
#include "reports/store/history.h"
#include "reports/store/postgres/publisher.h"
#include "runtime/base/file.h"
#include "runtime/measure/session.h"
#include "suites/harness/run.h"
#include "suites/harness/testing/suite_fixture.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A store has no remarks.
reports::RunResult WithoutRemarks(reports::RunResult result) {
  result.remarks.clear();
  return result;
}

class RunStoreTest : public SuiteFixture {
 protected:
  RunStoreTest() {
    options_.output.store = JoinPath(dir_.path(), "store");
    options_.matrix.devices = {"host", "board"};
    options_.matrix.fusion = {true, false};
  }

  // Simulates an interrupted run: an error on the second device ends it.
  void RunHalf() {
    script_.fail_on_board = true;
    EXPECT_EQ(Run(), 2);
    script_.fail_on_board = false;
  }

  reports::History Stored() {
    auto history = reports::ReadHistory(options_.output.store);
    EXPECT_TRUE(history.ok()) << history.status();
    return *std::move(history);
  }

  // Returns the number of runs on devices, for checks or samples.
  int Runs() {
    return static_cast<int>(std::count_if(
        script_.log.begin(), script_.log.end(), [](const std::string& line) {
          return line == "evaluate" || line.compare(0, 7, "measure") == 0;
        }));
  }
};

TEST_F(RunStoreTest, EveryRunIsInTheStore) {
  EXPECT_EQ(Run(), 0);
  const reports::RunResult first = result_;
  started_at_ = "2024-05-02T12:00:00Z";
  EXPECT_EQ(Run(), 0);
  const reports::History history = Stored();
  ASSERT_EQ(history.runs.size(), 2u);
  EXPECT_TRUE(history.runs[0] == WithoutRemarks(first));
  EXPECT_TRUE(history.runs[1] == WithoutRemarks(result_));
  EXPECT_EQ(history.runs[0].commit, "0123456789");
  EXPECT_EQ(history.runs[0].rows.size(), 4u);
}

TEST_F(RunStoreTest, KeepsRowsIfTheDatabaseCannotBeReached) {
  setenv("XDG_CACHE_HOME", dir_.path().c_str(), 1);
  options_.output.store = "postgres:///assay?host=" + dir_.path();
  options_.output.follow = true;
  EXPECT_EQ(Run(), 0);
  const std::string folder =
      reports::Publisher::Create(options_.output.store)->folder();
  EXPECT_THAT(out_, HasSubstr("warning: rows are only in `" + folder));
  EXPECT_TRUE(FileExists(reports::ArtifactFolder(folder)));
  const auto history = reports::ReadHistory(folder);
  ASSERT_TRUE(history.ok()) << history.status();
  ASSERT_EQ(history->runs.size(), 1u);
  EXPECT_EQ(history->runs[0].rows.size(), 4u);
  unsetenv("XDG_CACHE_HOME");
}

TEST_F(RunStoreTest, StoresRowsBeforeTheNextStart) {
  RunHalf();
  const reports::History history = Stored();
  ASSERT_EQ(history.runs.size(), 1u);
  EXPECT_EQ(history.runs[0].rows.size(), 2u);
}

TEST_F(RunStoreTest, ContinuesInterruptedRun) {
  RunHalf();
  options_.output.resume = true;
  started_at_ = "2024-05-02T12:00:00Z";
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Runs(), 2);  // once each on the board
  EXPECT_EQ(result_.rows.size(), 4u);
  EXPECT_EQ(result_.started_at, "2024-05-01T12:00:00Z");
  EXPECT_THAT(out_, HasSubstr("continues the run of 2024-05-01T12:00:00Z, "
                              "which had recorded 2 rows"));
  const reports::History history = Stored();
  ASSERT_EQ(history.runs.size(), 1u);
  EXPECT_TRUE(history.runs[0] == WithoutRemarks(result_));

  // The run is finished, so the next one is a new run.
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Stored().runs.size(), 2u);
  EXPECT_THAT(out_, HasSubstr("there was no run to continue"));
}

TEST_F(RunStoreTest, ContinuesOnlyWithResume) {
  RunHalf();
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Stored().runs.size(), 2u);
  EXPECT_THAT(out_, Not(HasSubstr("continue")));
}

TEST_F(RunStoreTest, AnotherProgramOrMachineDoesNotContinue) {
  options_.output.resume = true;
  RunHalf();
  command_ = "another";
  RunHalf();
  EXPECT_EQ(Stored().runs.size(), 2u);
  environment_.state["kernel"] = "6.2";
  RunHalf();
  EXPECT_EQ(Stored().runs.size(), 3u);
  environment_.fingerprint = "x86_64-other-2c-00000000";
  RunHalf();
  EXPECT_EQ(Stored().runs.size(), 4u);
}

TEST_F(RunStoreTest, AnotherArtifactIsMeasured) {
  options_.output.resume = true;
  RunHalf();
  script_.build = "second";
  EXPECT_EQ(Run(), 0);
  EXPECT_GT(Runs(), 2);
}

TEST_F(RunStoreTest, RetriesRowsThatFailedOnDevice) {
  options_.output.resume = true;
  script_.measure = absl::InternalError("the device is gone");
  RunHalf();
  script_.measure = absl::OkStatus();
  EXPECT_EQ(Run(), 0);
  ASSERT_EQ(result_.rows.size(), 4u);
  for (const reports::Row& row : result_.rows) {
    EXPECT_FALSE(row.timing.samples_ns.empty());
  }
}

// An interrupt while a row is judged must not lose the rows before it, although
// the samples of all rows of a model are interleaved.
TEST_F(RunStoreTest, CompleteRowsAreStoredWhileOthersAreJudged) {
  options_.matrix.devices = {"host"};
  options_.output.out = JoinPath(dir_.path(), "base");
  options_.output.keep_artifacts = true;
  ASSERT_EQ(Run(), 0);
  options_.comparison.against = options_.output.out;
  options_.comparison.against_runtime = "bench_artifact";
  options_.output.keep_artifacts = false;
  options_.output.out = JoinPath(dir_.path(), "out");
  started_at_ = "2024-05-02T12:00:00Z";
  std::vector<size_t> stored, written;
  // Called once for each row, which then fails.
  process_runner_ = [&]() -> absl::StatusOr<std::unique_ptr<runtime::Runner>> {
    stored.push_back(0);
    for (const reports::RunResult& run : Stored().runs) {
      if (run.started_at == started_at_) stored.back() = run.rows.size();
    }
    const auto results = reports::ReadRunFolder(options_.output.out);
    written.push_back(results.ok() ? results->rows.size() : 0);
    return absl::InternalError("there is no such program");
  };
  EXPECT_EQ(Run(), 5);
  EXPECT_EQ(result_.rows.size(), 2u);
  EXPECT_THAT(stored, ElementsAre(0u, 1u));
  EXPECT_THAT(written, ElementsAre(0u, 1u));
}

// A nightly run without a baseline.
class FollowTest : public RunStoreTest {
 protected:
  FollowTest() {
    options_.output.follow = true;
    options_.matrix.devices = {"host"};
    options_.matrix.fusion = {true};
    script_.scatter = 0.002;
  }

  // Runs a night with this artifact.
  const reports::Row& Night(const std::string& build, int exit_code) {
    started_at_ = "2024-05-0" + std::to_string(++night_) + "T12:00:00Z";
    script_.build = build;
    EXPECT_EQ(Run(), exit_code);
    return result_.rows.at(0);
  }

  int night_ = 0;
};

TEST_F(FollowTest, ChangedProgramsAreComparedWithTheNightBefore) {
  EXPECT_EQ(Night("first", 0).verdict, stats::Verdict::kNoBaseline);
  const std::string first = result_.rows[0].build.artifact_digest;
  script_.slowness["second"] = 1.1;
  script_.slowness["third"] = 1.1;
  const reports::Row slower = Night("second", 1);
  EXPECT_EQ(slower.verdict, stats::Verdict::kRegressed);
  EXPECT_EQ(slower.comparison.paired->artifact_digest, first);
  EXPECT_NEAR(slower.comparison.paired->change, 0.1, 0.005);
  // As slow as the night before, although slower than the first.
  const reports::Row third = Night("third", 0);
  EXPECT_EQ(third.verdict, stats::Verdict::kEquivalent);
  EXPECT_EQ(third.comparison.paired->artifact_digest,
            slower.build.artifact_digest);
}

// A nightly run makes fewer false alarms than a comparison that somebody asked
// for.
TEST_F(FollowTest, NeedsMoreEvidenceThanAnotherComparison) {
  models_ = std::vector<std::string>(60, "net");
  options_.output.out = JoinPath(dir_.path(), "base");
  options_.output.keep_artifacts = true;
  Night("first", 0);
  script_.scatter = 0.02;
  script_.slowness["second"] = 1.5;
  options_.output.out.clear();
  options_.output.keep_artifacts = false;
  const size_t followed = Night("second", 1).comparison.paired->base_ns.size();
  options_.output.follow = false;
  options_.comparison.against = JoinPath(dir_.path(), "base");
  EXPECT_GT(followed, Night("second", 1).comparison.paired->base_ns.size());
}

TEST_F(FollowTest, UnchangedProgramsAreNotMeasured) {
  Night("first", 0);
  script_.slowness["first"] = 1.1;  // the machine
  const reports::Row& row = Night("first", 0);
  EXPECT_EQ(row.verdict, stats::Verdict::kEquivalent);
  EXPECT_THAT(row.reason, HasSubstr("the artifact is the same, bit by bit"));
  EXPECT_FALSE(row.comparison.paired.has_value());
}

TEST_F(FollowTest, SaysIfTheArtifactOfTheNightBeforeIsMissing) {
  options_.output.follow = false;
  Night("first", 0);
  options_.output.follow = true;
  EXPECT_EQ(Night("second", 0).verdict, stats::Verdict::kNoBaseline);
  EXPECT_THAT(out_, HasSubstr("not compared with the program of "
                              "2024-05-01T12:00:00Z: there is no artifact"));
}

TEST_F(RunStoreTest, UnwritableStoreFailsBeforeRun) {
  ASSERT_TRUE(WriteFileAtomic(options_.output.store, "a file").ok());
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr(options_.output.store));
  EXPECT_TRUE(script_.log.empty());
}

}  // namespace
}  // namespace assay::suites
