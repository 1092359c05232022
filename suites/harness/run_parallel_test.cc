// Measures on several devices at the same time (--parallel).
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/run_folder.h"
#include "reports/store/history.h"
#include "runtime/base/file.h"
#include "suites/harness/testing/fake_rack.h"
#include "suites/harness/testing/suite_fixture.h"

namespace assay::suites {
namespace {

using stats::Verdict;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

using RowName = std::tuple<std::string, int, bool>;

class RunParallelTest : public SuiteFixture {
 protected:
  RunParallelTest() {
    options_.farm.parallel = 3;
    options_.matrix.fusion = {true, false};
    options_.matrix.threads = {1, 2};
    models_ = {"a", "b", "c", "d"};
  }

  // Runs with these boards.
  int RunOn(FakeRack& rack) {
    source_ = &rack;
    const int code = Run();
    EXPECT_TRUE(rack.all_returned());
    return code;
  }

  static std::vector<RowName> NamesOf(const reports::RunResult& result) {
    std::vector<RowName> names;
    for (const reports::Row& row : result.rows) {
      names.emplace_back(row.cell.model, row.cell.threads,
                         row.cell.variant.fusion);
    }
    return names;
  }

  std::vector<RowName> AllNames() const {
    std::vector<RowName> names;
    for (const std::string& model : models_) {
      for (const int threads : {1, 2}) {
        for (const bool fusion : {true, false}) {
          names.emplace_back(model, threads, fusion);
        }
      }
    }
    return names;
  }

  // Expects that each row is of one board, and that rows that are compared are
  // of the same board. Returns the number of rows of each board.
  std::map<std::string, int> CheckBoards(FakeRack& rack) {
    std::map<std::string, int> counts;
    for (size_t i = 0; i < result_.rows.size(); ++i) {
      const reports::Row& row = result_.rows[i];
      ++counts[row.board];
      const double ms = rack.board(row.board).ms;
      EXPECT_THAT(row.timing.samples_ns, SizeIs(8));
      EXPECT_THAT(row.timing.samples_ns, Each(1e6 * ms));
      EXPECT_FALSE(row.timing.blocks.empty());
      for (const reports::BlockState& block : row.timing.blocks) {
        EXPECT_EQ(block.before.temperature_celsius, ms);
      }
      EXPECT_EQ(row.board, result_.rows[i / 2 * 2].board);
    }
    return counts;
  }
};

TEST_F(RunParallelTest, RowsHaveTheOrderOfARunOnOneDevice) {
  FakeRack one({"rack-1"});
  options_.farm.parallel = 1;
  ASSERT_EQ(RunOn(one), 0);
  EXPECT_EQ(NamesOf(result_), AllNames());
  options_.farm.parallel = 3;
  FakeRack rack({"rack-1", "rack-2", "rack-3"});
  rack.WaitFor(3);
  ASSERT_EQ(RunOn(rack), 0);
  EXPECT_EQ(NamesOf(result_), AllNames());
  EXPECT_EQ(rack.most_at_once(), 3);
  EXPECT_THAT(CheckBoards(rack), SizeIs(3));
  EXPECT_THAT(out_, Not(HasSubstr("instead of 3")));
}

TEST_F(RunParallelTest, AllOutputsHaveTheSameOrder) {
  options_.output.out = JoinPath(dir_.path(), "out");
  options_.output.store = JoinPath(dir_.path(), "store");
  FakeRack rack({"rack-1", "rack-2", "rack-3"});
  rack.WaitFor(3);
  ASSERT_EQ(RunOn(rack), 0);
  const auto written = reports::ReadRunFolder(options_.output.out);
  ASSERT_TRUE(written.ok()) << written.status();
  EXPECT_TRUE(*written == result_);
  const auto history = reports::ReadHistory(options_.output.store);
  ASSERT_TRUE(history.ok()) << history.status();
  ASSERT_EQ(history->runs.size(), 1u);
  // A store has no remarks.
  reports::RunResult stored = result_;
  stored.remarks.clear();
  EXPECT_TRUE(history->runs[0] == stored);
}

TEST_F(RunParallelTest, FewerDevicesSuffice) {
  FakeRack rack({"rack-1", "rack-2"});
  rack.WaitFor(2);
  ASSERT_EQ(RunOn(rack), 0);
  EXPECT_EQ(NamesOf(result_), AllNames());
  EXPECT_THAT(CheckBoards(rack), SizeIs(2));
  EXPECT_THAT(out_, HasSubstr("host: measured on 2 devices at a time instead "
                              "of 3, because no more were free in time\n"));
}

TEST_F(RunParallelTest, TakesNoMoreDevicesThanItNeeds) {
  models_ = {"a"};
  FakeRack rack({"rack-1", "rack-2", "rack-3"});
  rack.WaitFor(2);
  ASSERT_EQ(RunOn(rack), 0);
  EXPECT_THAT(rack.lent(), SizeIs(2));
  EXPECT_THAT(out_, Not(HasSubstr("instead of")));
}

TEST_F(RunParallelTest, ALostDeviceRepeatsOnlyItsUnit) {
  FakeRack rack({"rack-1", "rack-2", "rack-3", "rack-4"});
  rack.WaitFor(3);
  rack.board("rack-2").lost_after = 7;
  ASSERT_EQ(RunOn(rack), 0);
  EXPECT_EQ(NamesOf(result_), AllNames());
  const auto counts = CheckBoards(rack);
  EXPECT_EQ(counts.count("rack-2"), 0u);
  EXPECT_EQ(counts.count("rack-4"), 1u);
  EXPECT_THAT(out_, HasSubstr("measured again, because the board rack-2 was "
                              "lost\n"));
  EXPECT_THAT(out_, Not(HasSubstr("rack-1 was lost")));
}

TEST_F(RunParallelTest, AnotherDeviceMeasuresTheJobOfOneThatIsGone) {
  FakeRack rack({"rack-1", "rack-2", "rack-3"});
  rack.WaitFor(3);
  rack.LendNoneAgain();
  rack.WaitForAnEndedSlot();
  rack.board("rack-2").lost_after = 7;
  ASSERT_EQ(RunOn(rack), 0) << out_;
  EXPECT_EQ(NamesOf(result_), AllNames());
  EXPECT_EQ(CheckBoards(rack).count("rack-2"), 0u);
}

TEST_F(RunParallelTest, TheLastDeviceThatIsGoneFailsTheRest) {
  FakeRack rack({"rack-1", "rack-2"});
  rack.WaitFor(2);
  rack.LendNoneAgain();
  // A unit has more than 20 blocks.
  rack.board("rack-1").lost_after = rack.board("rack-2").lost_after = 50;
  ASSERT_EQ(RunOn(rack), 5);
  EXPECT_EQ(NamesOf(result_), AllNames());
  int failed = 0;
  for (const reports::Row& row : result_.rows) {
    EXPECT_EQ(row.fingerprint, "aarch64-fake-4c-00000000");
    if (row.verdict != Verdict::kInfrastructure) continue;
    ++failed;
    EXPECT_EQ(row.reason, "no board was free in time");
    EXPECT_EQ(row.board, "");
  }
  EXPECT_GE(failed, 2);
  EXPECT_LT(failed, 16);
}

TEST_F(RunParallelTest, AnErrorOfOneModelLosesNoOther) {
  models_ = {"a", "broken", "b", "c"};
  FakeRack rack({"rack-1", "rack-2", "rack-3"});
  rack.WaitFor(3);
  EXPECT_EQ(RunOn(rack), 2);
  EXPECT_THAT(result_.rows, SizeIs(12));
  EXPECT_THAT(out_, HasSubstr("error: broken: no such op\n"));
}

TEST_F(RunParallelTest, TheErrorOfASingleModelEndsTheRun) {
  models_ = {"broken"};
  FakeRack rack({"rack-1", "rack-2"});
  EXPECT_EQ(RunOn(rack), 2);
  EXPECT_EQ(message_, "no such op");
}

TEST_F(RunParallelTest, RefusesABoardOfAnotherKindOrInAnotherState) {
  FakeRack rack({"rack-1", "rack-2", "rack-3"});
  rack.board("rack-2").facts.fingerprint = "aarch64-other-4c-00000000";
  rack.board("rack-3").facts.state["governor"] = "powersave";
  ASSERT_EQ(RunOn(rack), 0);
  EXPECT_THAT(CheckBoards(rack), SizeIs(1));
  EXPECT_EQ(NamesOf(result_), AllNames());
}

TEST_F(RunParallelTest, ACanaryConcernsOnlyItsBoard) {
  options_.output.out = JoinPath(dir_.path(), "base");
  options_.output.keep_artifacts = true;
  FakeRack first({"rack-1"});
  ASSERT_EQ(RunOn(first), 0);
  options_.output.keep_artifacts = false;
  options_.comparison.against = options_.output.out;
  options_.output.out = "";
  script_.build = "second";
  canary_on_ = [](const CanaryMode& mode) {
    reports::CanaryTrial trial;
    trial.threads = mode.threads;
    trial.verdict = mode.runner->facts().board == "rack-2"
                        ? Verdict::kImproved
                        : Verdict::kEquivalent;
    return reports::Canary{trial};
  };
  FakeRack rack({"rack-1", "rack-2"});
  rack.WaitFor(2);
  rack.SetScatter(0.002);
  EXPECT_EQ(RunOn(rack), 3);
  std::set<std::string> boards;
  for (const reports::Row& row : result_.rows) {
    boards.insert(row.board);
    EXPECT_EQ(row.verdict, row.board == "rack-2" ? Verdict::kInconclusive
                                                 : Verdict::kEquivalent)
        << row.reason;
  }
  EXPECT_EQ(boards.size(), 2u);
  // Once for each board and number of threads.
  std::set<std::pair<std::string, int>> trials;
  for (const reports::CanaryTrial& trial : result_.canary) {
    EXPECT_TRUE(trials.insert({trial.board, trial.threads}).second);
  }
  EXPECT_GE(trials.size(), 2u);
}

TEST_F(RunParallelTest, AResumedRunMeasuresWhatIsMissing) {
  options_.output.store = JoinPath(dir_.path(), "store");
  options_.matrix.devices = {"host", "board"};
  options_.timing.repeat = 8;
  models_ = {"a"};
  // An error on the second device ends the run. What the others have begun is
  // finished and recorded.
  script_.fail_on_board = true;
  FakeRack rack({"rack-1", "rack-2", "rack-3"});
  EXPECT_EQ(RunOn(rack), 2);
  EXPECT_EQ(message_, "a model too odd");
  script_.fail_on_board = false;
  options_.output.resume = true;
  const auto recorded = reports::ReadHistory(options_.output.store);
  ASSERT_TRUE(recorded.ok()) << recorded.status();
  FakeRack others({"other-1", "other-2"});
  ASSERT_EQ(RunOn(others), 0);
  ASSERT_THAT(result_.rows, SizeIs(8));
  size_t old = 0;
  for (size_t i = 0; i < 8; ++i) {
    const reports::Row& row = result_.rows[i];
    EXPECT_EQ(row.cell.device, i < 4 ? "host" : "board");
    if (row.board.substr(0, 4) == "rack") ++old;
  }
  EXPECT_EQ(old, recorded->runs.empty() ? 0 : recorded->runs[0].rows.size());
}

TEST_F(RunParallelTest, TheFirstRowWritesItsOutputs) {
  models_ = {"a"};
  options_.output.outputs = JoinPath(dir_.path(), "outputs.npz");
  for (int i = 0; i < 5; ++i) {
    FakeRack rack({"rack-1", "rack-2"});
    rack.WaitFor(2);
    ASSERT_EQ(RunOn(rack), 0);
    EXPECT_THAT(out_, HasSubstr("a on host, fusion on, 1 thread: outputs were "
                                "written to `"));
    EXPECT_THAT(out_, Not(HasSubstr("2 threads: outputs")));
  }
}

TEST_F(RunParallelTest, ProgressShowsTheDevices) {
  std::ostringstream terminal;
  terminal_ = &terminal;
  FakeRack rack({"rack-1", "rack-2", "rack-3"});
  rack.WaitFor(3);
  ASSERT_EQ(RunOn(rack), 0);
  EXPECT_THAT(terminal.str(),
              AllOf(HasSubstr("/16] rack-1: "), HasSubstr(" · rack-2: "),
                    HasSubstr(" · rack-3: ")));
}

}  // namespace
}  // namespace assay::suites
