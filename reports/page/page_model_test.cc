#include "reports/page/page_model.h"

#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "reports/page/testing/history.h"
#include "reports/result/testing/sample_result.h"

namespace assay::reports {
namespace {

const Cell& CellOf(const PageModel& model, const std::string& name,
                   const std::string& device = "host") {
  for (const Cell& cell : model.cells) {
    if (cell.row->cell.model == name && cell.row->cell.device == device)
      return cell;
  }
  ADD_FAILURE() << "no cell of " << name;
  return model.cells.front();
}

TEST(PageModelTest, EmptyHistoryGivesEmptyModel) {
  const PageModel model = BuildPageModel({});
  EXPECT_TRUE(model.cells.empty());
  EXPECT_TRUE(model.suites.empty());
}

TEST(PageModelTest, CollectsTheNightsOfACell) {
  const std::vector<RunResult> history = SampleHistory(60);
  const PageModel model = BuildPageModel(history);
  ASSERT_EQ(model.cells.size(), 12u);
  const Cell& cell = CellOf(model, "resnet18");
  EXPECT_EQ(cell.run, 59u);
  EXPECT_EQ(cell.status->name, "regressed");
  ASSERT_EQ(cell.nights.size(), 60u);
  EXPECT_EQ(cell.nights[7].run, 7u);
  EXPECT_LT(*cell.nights[7].lower_ms, cell.nights[7].median_ms);
  EXPECT_GT(*cell.nights[7].upper_ms, cell.nights[7].median_ms);

  ASSERT_EQ(cell.events.size(), 2u);
  EXPECT_EQ(cell.events[0].night, 30u);
  EXPECT_EQ(CausesText(cell.events[0].event.causes), "machine");
  EXPECT_FALSE(cell.events[0].event.other_machine);
  EXPECT_FALSE(cell.events[0].event.published);
  EXPECT_EQ(cell.events[0].event.what, "kernel: 6.1.0-38, before 6.1.0-37");
  EXPECT_EQ(cell.events[1].night, 40u);
  EXPECT_EQ(CausesText(cell.events[1].event.causes), "code");
  EXPECT_TRUE(cell.events[1].event.published);
  EXPECT_EQ(cell.events[1].event.what,
            "code of 1 of 2 kernels: k007_conv2d_relu");

  ASSERT_EQ(cell.levels.size(), 1u);
  EXPECT_EQ(cell.levels[0].night, 40u);
  EXPECT_NEAR(cell.levels[0].after_ms / cell.levels[0].before_ms, 17.5 / 16.8,
              0.01);
  EXPECT_EQ(cell.levels[0].change, 0.041);
}

TEST(PageModelTest, UnchangedProgramsHaveOneLevel) {
  const std::vector<RunResult> history = SampleHistory(60);
  for (const Cell& cell : BuildPageModel(history).cells) {
    if (cell.status->name == "regressed") continue;
    EXPECT_TRUE(cell.levels.empty()) << cell.row->cell.model;
    for (const CellEvent& event : cell.events) {
      EXPECT_EQ(event.night, 30u);
      EXPECT_FALSE(event.event.published);
    }
  }
}

TEST(PageModelTest, LoadingThatBecomesSlowerIsAnEventOfTheCell) {
  std::vector<RunResult> history = SampleHistory(100);
  for (size_t run = 0; run < history.size(); ++run) {
    Row& row = history[run].rows[1];
    ASSERT_EQ(row.cell.model, "mobilenet_v1");
    const double noise = 0.01 * static_cast<double>(run * 7 % 11);
    row.timing.load_ms = (run < 70 ? 60 : 90) * (1 + noise);
  }
  const PageModel model = BuildPageModel(history);
  const Cell& cell = CellOf(model, "mobilenet_v1");
  ASSERT_EQ(cell.events.size(), 2u);
  EXPECT_EQ(cell.events[1].night, 70u);
  EXPECT_EQ(cell.events[1].metric, Metric::kLoad);
  EXPECT_TRUE(cell.events[1].event.published);
  EXPECT_TRUE(cell.levels.empty());
}

TEST(PageModelTest, EmulatedCellsHaveNoNights) {
  const std::vector<RunResult> history = SampleHistory(20);
  const PageModel model = BuildPageModel(history);
  EXPECT_TRUE(CellOf(model, "resnet18", "rpi3b").nights.empty());
}

TEST(PageModelTest, TooFewSamplesHaveNoInterval) {
  const std::vector<RunResult> history = SampleHistory(20);
  const PageModel model = BuildPageModel(history);
  const Cell& cell = CellOf(model, "gemm_1x1");
  ASSERT_EQ(cell.nights.size(), 3u);
  EXPECT_FALSE(cell.nights[0].lower_ms.has_value());
}

TEST(PageModelTest, CellMissingFromNewestRunIsNotRun) {
  const std::vector<RunResult> history = SampleHistory(20);
  const PageModel model = BuildPageModel(history);
  const Cell& cell = CellOf(model, "ssd_mobilenet_v1");
  EXPECT_EQ(cell.status->name, "not_run");
  EXPECT_EQ(cell.run, 18u);
}

TEST(PageModelTest, CountsJudgedAndOtherCells) {
  const std::vector<RunResult> history = SampleHistory(20);
  const PageModel model = BuildPageModel(history);
  std::map<std::string, const SuiteCensus*> suites;
  int64_t cells = 0;
  for (const SuiteCensus& suite : model.suites) {
    suites[suite.suite] = &suite;
    cells += suite.cells;
    int64_t not_judged = 0;
    for (const auto& [status, count] : suite.not_judged) {
      EXPECT_FALSE(status->judged());
      not_judged += count;
    }
    EXPECT_EQ(suite.judged + not_judged, suite.cells);
  }
  EXPECT_EQ(cells, 12);
  EXPECT_EQ(suites["gemm"]->judged, 0);
  EXPECT_EQ(suites["gemm"]->not_judged.size(), 4u);
  EXPECT_EQ(suites["mobilenet"]->judged, 2);
}

TEST(PageModelTest, OrdersCellsBySeverity) {
  const std::vector<RunResult> history = SampleHistory(20);
  const PageModel model = BuildPageModel(history);
  EXPECT_EQ(model.cells[0].status->name, "wrong_output");
  EXPECT_EQ(model.cells[1].status->name, "infrastructure");
  EXPECT_EQ(model.cells[2].status->name, "regressed");
  EXPECT_EQ(model.cells.back().status->name, "pass");
}

TEST(PageModelTest, NewMachineIsNotAChangeOfLevel) {
  std::vector<RunResult> history = SampleHistory(40);
  for (size_t run = 20; run < history.size(); ++run) {
    history[run].environment.identity["cpu"] = "AMD EPYC 9B14";
    history[run].environment.state["kernel"] = "6.1.0-37";
    for (Row& row : history[run].rows) {
      row.fingerprint = "x86_64-amd-epyc-9b14-2c-aaaaaaaa";
      for (double& ns : row.timing.samples_ns) ns *= 0.5;
    }
  }
  const PageModel model = BuildPageModel(history);
  const Cell& cell = CellOf(model, "mobilenet_v1");
  EXPECT_TRUE(cell.levels.empty());
  ASSERT_EQ(cell.events.size(), 1u);
  EXPECT_EQ(cell.events[0].night, 20u);
  EXPECT_TRUE(cell.events[0].event.other_machine);
  EXPECT_FALSE(cell.events[0].event.published);
  EXPECT_EQ(cell.events[0].event.what,
            "cpu: AMD EPYC 9B14, before AMD EPYC 7B13");
}

TEST(PageModelTest, TunedRowsAreCellsOfTheirOwn) {
  const std::vector<RunResult> history = {TunedResult(), TunedResult()};
  const PageModel model = BuildPageModel(history);
  ASSERT_EQ(model.cells.size(), 2u);
  EXPECT_TRUE(model.cells[0].row->cell.variant.tuned);  // no_baseline
  EXPECT_FALSE(model.cells[1].row->cell.variant.tuned);
  for (const Cell& cell : model.cells) EXPECT_EQ(cell.nights.size(), 2u);
}

TEST(PageModelTest, AcceptsRandomResults) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<RunResult> history = {RandomResult(seed)};
    EXPECT_LE(BuildPageModel(history).cells.size(), history[0].rows.size());
  }
}

}  // namespace
}  // namespace assay::reports
