#include "suites/tune/page/curve.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/page/testing/html.h"
#include "reports/stats/verdict.h"
#include "suites/tune/log/tuning_record.h"
#include "suites/tune/page/page_model.h"
#include "suites/tune/page/testing/sample_log.h"

namespace assay::suites {
namespace {

using reports::HtmlElement;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Returns the chart of the only task of the log.
HtmlElement ChartOf(const std::vector<TuningRecord>& log) {
  const TuningPageInputs inputs = {log};
  const TuningPageModel model = BuildTuningPageModel(inputs);
  const auto page = reports::ParseHtml(
      absl::StrCat("<!DOCTYPE html>\n",
                   CurveHtml(model.places[0].tasks[0],
                             ClassifyImplementations(model.implementations))));
  EXPECT_TRUE(page.ok()) << page.status();
  return page.ok() ? *page : HtmlElement();
}

// Returns the paths of a class that are not in the legend.
std::vector<std::string> Paths(const HtmlElement& chart,
                               const std::string& name) {
  std::vector<std::string> paths;
  for (const HtmlElement* svg : chart.Find("svg", "curve")) {
    for (const HtmlElement* path : svg->Find("path", name)) {
      paths.push_back(path->attributes.at("d"));
    }
  }
  return paths;
}

std::vector<TuningRecord> SmallLog() {
  std::vector<TuningRecord> log = {
      SampleTrial(200, 1), SampleTrial(100, 2),
      SampleFailure(TrialStatus::kWrong, "wrong"), SampleTrial(400, 3),
      SampleVerdict(stats::Verdict::kImproved, 0.5, 2)};
  log[3].implementation = "matmul.rows";
  return log;
}

TEST(CurveTest, DrawsTrialsByImplementation) {
  const HtmlElement chart = ChartOf(SmallLog());
  // The upper edge is 1.08 times the best rate.
  EXPECT_THAT(Paths(chart, "c0"), ElementsAre("M0 537h0M1 74h0"));
  EXPECT_THAT(Paths(chart, "c1"), ElementsAre("M3 769h0"));
  EXPECT_THAT(Paths(chart, "best"), ElementsAre("M0 537H1V74H3"));
  EXPECT_THAT(Paths(chart, "failed"), ElementsAre("M2 4v6"));
  EXPECT_EQ(chart.Find("svg", "frame")[0]->attributes.at("viewBox"),
            "-0.5 0 4 1000");
}

TEST(CurveTest, MarksDefaultAndAcceptedPoint) {
  const HtmlElement chart = ChartOf(SmallLog());
  ASSERT_THAT(chart.Find("line", "default"), SizeIs(1));
  EXPECT_EQ(chart.Find("line", "default")[0]->attributes.at("y1"), "53.7%");
  // The ring of the chart and that of the legend.
  ASSERT_THAT(chart.Find("circle", "accepted"), SizeIs(2));
  const HtmlElement& ring = *chart.Find("circle", "accepted")[0];
  EXPECT_EQ(ring.attributes.at("cx"), "37.5%");
  EXPECT_EQ(ring.attributes.at("cy"), "7.4%");
}

TEST(CurveTest, LegendHasCountsAndBestRates) {
  const HtmlElement chart = ChartOf(SmallLog());
  std::vector<std::string> items;
  for (const HtmlElement* item : chart.Find("li")) items.push_back(item->text);
  EXPECT_THAT(items, ElementsAre(" matmul.blocked: 2, best 10",
                                 " matmul.rows: 1, best 2.5", " failed: 1",
                                 " accepted: trial 2"));
}

TEST(CurveTest, LabelDescribesTheChart) {
  EXPECT_EQ(
      ChartOf(SmallLog()).Find("svg", "curve")[0]->attributes.at("aria-label"),
      "Best GFLOP/s by trial of matmul 5x10 10x10: 10 after 4 trials, "
      "default 5");
}

TEST(CurveTest, TicksAreRoundNumbers) {
  const HtmlElement chart = ChartOf(SmallLog());
  std::vector<std::string> x, y;
  for (const HtmlElement* text : chart.Find("text", "x"))
    x.push_back(text->text);
  for (const HtmlElement* text : chart.Find("text", "y"))
    y.push_back(text->text);
  EXPECT_THAT(x, ElementsAre("2", "4"));
  EXPECT_THAT(y, ElementsAre("0", "2", "4", "6", "8", "10", "trial"));
  const HtmlElement large = ChartOf(SampleLog(1, 1000));
  x.clear();
  for (const HtmlElement* text : large.Find("text", "x"))
    x.push_back(text->text);
  EXPECT_THAT(x, ElementsAre("500", "1000"));
}

TEST(CurveTest, SeparatesRunsOfTuners) {
  std::vector<TuningRecord> log = SmallLog();
  EXPECT_THAT(ChartOf(log).Find("line", "run"), IsEmpty());
  log[2].tuner = log[3].tuner = "random<b>";
  const HtmlElement chart = ChartOf(log);
  ASSERT_THAT(chart.Find("line", "run"), SizeIs(2));
  EXPECT_EQ(chart.Find("line", "run")[1]->attributes.at("x1"), "50%");
  EXPECT_EQ(chart.Find("text", "tuner")[1]->text, "random<b>");
}

TEST(CurveTest, TaskWithoutSuccessHasTicksOnly) {
  const HtmlElement chart =
      ChartOf({SampleFailure(TrialStatus::kBuildError, "no")});
  EXPECT_THAT(Paths(chart, "dots"), IsEmpty());
  EXPECT_THAT(chart.Find("line", "default"), IsEmpty());
  EXPECT_THAT(Paths(chart, "failed"), ElementsAre("M0 4v6"));
}

TEST(CurveTest, TaskWithoutTrialsHasNoChart) {
  EXPECT_EQ(CurveHtml(PageTask(), {}), "");
}

TEST(CurveTest, ImplementationsOfAnOperatorHaveDifferentClasses) {
  const ImplementationClasses classes = ClassifyImplementations(
      {"conv2d.a", "matmul.x", "conv2d.b", "conv2d.a", "odd"});
  EXPECT_EQ(classes.at("conv2d.a"), "c0");
  EXPECT_EQ(classes.at("conv2d.b"), "c1");
  EXPECT_EQ(classes.at("matmul.x"), "c0");
  EXPECT_EQ(classes.at("odd"), "c0");
}

}  // namespace
}  // namespace assay::suites
