// Runs on devices that a farm lends and takes away.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/harness/testing/suite_fixture.h"

namespace assay::suites {
namespace {

using stats::Verdict;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class RunFarmTest : public SuiteFixture {
 protected:
  // The second board takes three times as long, so samples of both in one row
  // are noticed.
  RunFarmTest() {
    script_.boards = {"rack-1", "rack-2"};
    script_.board_slowness["rack-2"] = 3;
  }

  // Runs, and loses the board in these blocks.
  int RunAndLose(const std::set<int>& blocks) {
    script_.blocks = 0;
    script_.lost = 0;
    script_.lost_blocks = blocks;
    return Run();
  }

  static void ExpectSamplesOf(const reports::Row& row, const std::string& board,
                              double ms) {
    EXPECT_EQ(row.board, board);
    EXPECT_THAT(row.timing.samples_ns, SizeIs(8));
    EXPECT_THAT(row.timing.samples_ns,
                Each(AllOf(Ge(0.99e6 * ms), Le(1.01e6 * ms))));
  }
};

TEST_F(RunFarmTest, RowsNameTheBoard) {
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  ExpectSamplesOf(result_.rows[0], "rack-1", 10);
  EXPECT_THAT(out_, HasSubstr("\nhost: measured on the board rack-1\n"));
  script_.boards.clear();
  EXPECT_EQ(Run(), 0);
  ExpectSamplesOf(result_.rows[0], "", 10);
  EXPECT_THAT(out_, Not(HasSubstr("measured on the board")));
}

TEST_F(RunFarmTest, ALostBoardDiscardsTheSamplesOfItsRow) {
  ASSERT_EQ(Run(), 0);
  const int blocks = script_.blocks;
  ASSERT_GT(blocks, 8);
  // In any block: while the outputs are checked, and between the samples.
  for (int block = 1; block <= blocks; ++block) {
    EXPECT_EQ(RunAndLose({block}), 0);
    EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
    ExpectSamplesOf(result_.rows[0], "rack-2", 30);
    EXPECT_THAT(out_, HasSubstr("net on host, fusion on, "));
    EXPECT_THAT(out_, HasSubstr("measured again, because the board rack-1 was "
                                "lost\n"));
    EXPECT_THAT(out_, HasSubstr("host: measured on the board rack-2\n"));
  }
}

TEST_F(RunFarmTest, CellsThatAreComparedAreMeasuredOnOneBoard) {
  options_.matrix.fusion = {true, false};
  ASSERT_EQ(Run(), 0);
  const int blocks = script_.blocks;
  for (const int block : {2, blocks / 2, blocks - 1, blocks}) {
    EXPECT_EQ(RunAndLose({block}), 0);
    ASSERT_EQ(result_.rows.size(), 2u);
    for (const reports::Row& row : result_.rows) {
      ExpectSamplesOf(row, "rack-2", 30);
    }
    ASSERT_TRUE(result_.rows[0].comparison.speedup_vs_unfused.has_value());
    EXPECT_NEAR(result_.rows[0].comparison.speedup_vs_unfused->value, 1, 0.01);
  }
}

TEST_F(RunFarmTest, FinishedRowsAreKept) {
  models_ = {"net", "other"};
  ASSERT_EQ(Run(), 0);
  ASSERT_EQ(result_.rows.size(), 2u);
  EXPECT_EQ(RunAndLose({script_.blocks - 2}), 0);
  ASSERT_EQ(result_.rows.size(), 2u);
  ExpectSamplesOf(result_.rows[0], "rack-1", 10);
  ExpectSamplesOf(result_.rows[1], "rack-2", 30);
  EXPECT_THAT(out_, HasSubstr("host: measured on the boards rack-1, rack-2\n"));
}

TEST_F(RunFarmTest, SomeLossesAreSurvivedAndManyAreNot) {
  EXPECT_EQ(RunAndLose({3, 7, 12}), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  ExpectSamplesOf(result_.rows[0], "rack-2", 30);

  EXPECT_EQ(RunAndLose({3, 7, 12, 18}), 5);
  EXPECT_EQ(OnlyVerdict(), Verdict::kInfrastructure);
  EXPECT_THAT(result_.rows[0].timing.samples_ns, SizeIs(0));
  EXPECT_THAT(result_.rows[0].reason,
              "lost in each of 4 attempts: the board rack-2 was lost");
}

TEST_F(RunFarmTest, AComparisonIsOfOneBoard) {
  options_.output.out = JoinPath(dir_.path(), "base");
  options_.output.keep_artifacts = true;
  ASSERT_EQ(Run(), 0);
  options_.output.keep_artifacts = false;
  options_.comparison.against = options_.output.out;
  options_.output.out = "";
  script_.build = "second";
  script_.slowness["second"] = 1.5;
  script_.scatter = 0.002;
  script_.blocks = 0;
  ASSERT_EQ(Run(), 1);
  const int blocks = script_.blocks;
  ASSERT_GT(blocks, 100);
  for (const int block : {20, 30, 60, blocks - 5}) {
    EXPECT_EQ(RunAndLose({block}), 1);
    const reports::Row& row = result_.rows.at(0);
    EXPECT_EQ(row.verdict, Verdict::kRegressed);
    EXPECT_EQ(row.board, "rack-2");
    ASSERT_TRUE(row.comparison.paired.has_value());
    EXPECT_THAT(row.comparison.paired->base_ns,
                Each(AllOf(Ge(29e6), Le(31e6))));
    EXPECT_THAT(row.comparison.paired->run_ns, Each(AllOf(Ge(44e6), Le(46e6))));
    EXPECT_NEAR(row.comparison.paired->change, 0.5, 0.01);
  }
}

TEST_F(RunFarmTest, TheCanaryRunsOnEachBoard) {
  options_.output.out = JoinPath(dir_.path(), "base");
  options_.output.keep_artifacts = true;
  models_ = {"net", "other"};
  ASSERT_EQ(Run(), 0);
  options_.output.keep_artifacts = false;
  options_.comparison.against = options_.output.out;
  options_.output.out = "";
  script_.build = "second";
  script_.scatter = 0.002;
  reports::CanaryTrial trial;
  trial.threads = 2;
  trial.verdict = Verdict::kEquivalent;
  canary_ = {trial};
  ASSERT_EQ(Run(), 0);
  EXPECT_THAT(result_.canary, SizeIs(1));
  // The board is lost at the start of the second row.
  script_.blocks = 0;
  ASSERT_EQ(Run(), 0);
  EXPECT_EQ(RunAndLose({script_.blocks / 2 + 5}), 0);
  ASSERT_EQ(result_.rows.size(), 2u);
  EXPECT_EQ(result_.rows[0].board, "rack-1");
  EXPECT_EQ(result_.rows[1].board, "rack-2");
  EXPECT_THAT(result_.canary, SizeIs(2));
}

TEST_F(RunFarmTest, ABoardInAnotherStateIsNotCompared) {
  script_.later_state["governor"] = "powersave";
  environment_.state["governor"] = "performance";
  EXPECT_EQ(RunAndLose({5}), 5);
  EXPECT_EQ(OnlyVerdict(), Verdict::kInfrastructure);
  EXPECT_THAT(result_.rows[0].reason,
              "the board rack-2 is in another state than the board with which "
              "this run began (governor: powersave, was performance)");
}

TEST_F(RunFarmTest, AReferenceOnThisMachineIsNotCompared) {
  AddOtherRuntime();
  options_.comparison.reference = "other";
  EXPECT_EQ(Run(), 0);
  EXPECT_FALSE(result_.rows.at(0).comparison.speedup_vs_reference.has_value());
  EXPECT_THAT(out_, HasSubstr("not compared with other: it runs on this "
                              "machine, and the device is lent by a tracker"));
}

TEST_F(RunFarmTest, ARealBoardIsMeasuredAlthoughItsFileEmulatesIt) {
  options_.matrix.devices = {"board"};
  lent_emulated_ = false;
  options_.timing.repeat = 8;
  EXPECT_EQ(Run(), 0);
  const reports::Row& row = result_.rows.at(0);
  EXPECT_FALSE(row.emulated);
  EXPECT_EQ(row.fingerprint, environment_.fingerprint);
  EXPECT_EQ(result_.environment.fingerprint, environment_.fingerprint);
  // Both examples are checked, as on all real devices.
  EXPECT_EQ(absl::c_count(script_.log, "reference"), 3);
}

TEST_F(RunFarmTest, TheReproduceCommandNamesTheTracker) {
  options_.farm.tracker = "lab:9190";
  options_.farm.tls = "/etc/tls";
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(result_.rows.at(0).reproduce,
              HasSubstr(" --tracker=lab:9190 --tracker_tls=/etc/tls "));
}

TEST_F(RunFarmTest, RemarksOfTheDevicesArePrinted) {
  device_notes_ = "rack-1 is too hot\n";
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, HasSubstr("\nrack-1 is too hot\n"));
}

}  // namespace
}  // namespace assay::suites
