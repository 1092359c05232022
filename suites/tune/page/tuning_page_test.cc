#include "suites/tune/page/tuning_page.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/page/testing/html.h"
#include "reports/stats/verdict.h"
#include "runtime/base/random.h"
#include "suites/kernels/peak/arithmetic.h"
#include "suites/tune/log/tuning_record.h"
#include "suites/tune/page/assets.h"
#include "suites/tune/page/page_model.h"
#include "suites/tune/page/testing/sample_log.h"

namespace assay::suites {
namespace {

using reports::HtmlElement;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

HtmlElement Parsed(const std::string& html) {
  absl::StatusOr<HtmlElement> page = reports::ParseHtml(html);
  EXPECT_TRUE(page.ok()) << page.status().message();
  return page.ok() ? *page : HtmlElement();
}

HtmlElement Page(const TuningPageInputs& inputs) {
  return Parsed(RenderTuningPage(inputs));
}

// Returns the texts of the cells of a line.
std::vector<std::string> CellsOf(const HtmlElement& line) {
  std::vector<std::string> cells;
  for (const HtmlElement& cell : line.children) cells.push_back(cell.AllText());
  return cells;
}

TEST(TuningPageTest, EmptyLogIsStated) {
  const HtmlElement page = Page({});
  EXPECT_THAT(page.AllText(), HasSubstr("The log has no trials."));
  EXPECT_THAT(page.Find("article"), IsEmpty());
}

TEST(TuningPageTest, TopDescribesTheRun) {
  std::vector<TuningRecord> log = {
      SampleTrial(100), SampleTrial(90),
      SampleFailure(TrialStatus::kBuildError, "no"),
      SampleFailure(TrialStatus::kWrong, "no")};
  log[0].time = "2026-11-24T12:00:10Z";
  log[3].time = "2026-11-24T13:31:00Z";
  log[1].time = log[2].time = log[0].time;
  log[1].template_digest = "old";
  TuningPageInputs inputs = {log};
  inputs.title = "resnet18";
  inputs.command = "bazel run //suites:tune -- --model=resnet18";
  const HtmlElement page = Page(inputs);
  EXPECT_EQ(page.Find("title")[0]->text, "Assay: tuning of resnet18");
  const std::string top = page.Find("header", "top")[0]->AllText();
  for (const char* text :
       {"Tuning of resnet18", "1 task, 3 trials", "2026-11-24 12:00",
        "2026-11-24 13:31", "(1h30m)", "xgb, seed 7",
        "build error: 1, wrong: 1", "1 record of templates", "//suites:tune"}) {
    EXPECT_THAT(top, HasSubstr(text));
  }
}

TEST(TuningPageTest, ShortRunsHaveSeconds) {
  std::vector<TuningRecord> log = {SampleTrial(100), SampleTrial(90)};
  log[0].time = "2026-11-24T12:00:10Z";
  log[1].time = "2026-11-24T12:01:49Z";
  EXPECT_THAT(Page({log}).Find("header", "top")[0]->AllText(),
              HasSubstr("(1m39s)"));
}

TEST(TuningPageTest, TableHasALinePerTask) {
  std::vector<TuningRecord> log = {
      SampleTrial(2000, 1), SampleTrial(1000, 2),
      SampleFailure(TrialStatus::kTimeout, "late"),
      SampleVerdict(stats::Verdict::kImproved, 0.5, 2), SampleTrial(500)};
  log[4].task = "other";
  log[4].flops = 0;
  log[4].anchor = "";
  log[4].workload = "p0: float32[8] v0: float32[8] = relu(p0) return v0";
  TuningPageInputs inputs = {log};
  inputs.calls = {{log[0].task, 3}, {"other", 4}};
  inputs.peaks = {{log[0].device, {{2, {{Arithmetic::kFloat32, 4.0}}}}}};
  const HtmlElement page = Page(inputs);
  const HtmlElement& table = *page.Find("table", "tasks")[0];
  EXPECT_THAT(
      CellsOf(*table.Find("tr")[0]),
      ElementsAre("Task", "Default", "Best", "GFLOP/s", "Of peak",
                  "Time / default", "Of network", "Saves", "Trials", "Errors"));
  const std::vector<std::string> first = CellsOf(*table.Find("tr")[1]);
  EXPECT_THAT(first,
              ElementsAre(" matmul 5x10 10x10", "2.000 µs", "1.000 µs", "1",
                          "25.0\u00a0%", HasSubstr("0.50 [0.47, 0.53]"),
                          "75.0\u00a0%", "37.5\u00a0%", "3", " 1"));
  EXPECT_THAT(first[5], HasSubstr("improved"));
  EXPECT_THAT(CellsOf(*table.Find("tr")[2]),
              ElementsAre(" relu 8", "500.0 ns", "500.0 ns", "–", "–", "–",
                          "25.0\u00a0%", "0.0\u00a0%", "1", " 0"));
  EXPECT_THAT(page.Find("p", "coverage")[0]->AllText(),
              AllOf(HasSubstr("37.5\u00a0%"), HasSubstr("5.000 µs"),
                    HasSubstr("8.000 µs")));
  // The line refers to the card.
  EXPECT_EQ(table.Find("a")[1]->attributes.at("href"),
            "#" + page.Find("article")[1]->attributes.at("id"));
}

TEST(TuningPageTest, UnknownColumnsAreLeftOut) {
  const std::vector<TuningRecord> log = {SampleTrial(2000)};
  EXPECT_THAT(CellsOf(*Page({log}).Find("table", "tasks")[0]->Find("tr")[0]),
              ElementsAre("Task", "Default", "Best", "GFLOP/s",
                          "Time / default", "Trials", "Errors"));
}

TEST(TuningPageTest, CardsHavePointsFailuresAndWorkload) {
  const std::vector<TuningRecord> log = {
      SampleTrial(2000, 1), SampleTrial(3000, 2), SampleTrial(1000, 3),
      SampleFailure(TrialStatus::kBuildError, "first message"),
      SampleFailure(TrialStatus::kBuildError, "second message")};
  const HtmlElement page = Page({log});
  ASSERT_THAT(page.Find("article"), SizeIs(1));
  const HtmlElement& card = *page.Find("article")[0];
  EXPECT_THAT(card.Find("svg", "curve"), SizeIs(1));
  ASSERT_THAT(card.Find("details"), SizeIs(3));
  const std::vector<const HtmlElement*> points =
      card.Find("details")[0]->Find("tr");
  ASSERT_THAT(points, SizeIs(3));
  EXPECT_THAT(CellsOf(*points[1]),
              ElementsAre("3", "1.000 µs", "1", "matmul.blocked  mc=3"));
  EXPECT_THAT(CellsOf(*points[2]),
              ElementsAre("1", "2.000 µs", "0.5", "matmul.blocked  mc=1"));
  EXPECT_THAT(CellsOf(*card.Find("details")[1]->Find("tr")[1]),
              ElementsAre("build error", "2", "first message"));
  const std::string workload = card.Find("details")[2]->AllText();
  EXPECT_THAT(workload, HasSubstr(log[0].task));
  EXPECT_THAT(workload, HasSubstr(log[0].anchor));
  EXPECT_THAT(workload, HasSubstr(log[0].workload));
}

constexpr char kHostile[] =
    "</script><script>window.hostile=1</script>\"'><img src=x "
    "onerror=window.hostile=1>&amp;\xff\x01";

// Each text of a record, of its configuration excepted, which is parsed.
const std::vector<std::string TuningRecord::*>& Texts() {
  static const auto& texts = *new std::vector<std::string TuningRecord::*>{
      &TuningRecord::task,   &TuningRecord::workload,
      &TuningRecord::anchor, &TuningRecord::target,
      &TuningRecord::device, &TuningRecord::board,
      &TuningRecord::error,  &TuningRecord::implementation,
      &TuningRecord::tuner,  &TuningRecord::template_digest,
      &TuningRecord::time,   &TuningRecord::code_digest};
  return texts;
}

void ExpectHarmless(const TuningPageInputs& inputs) {
  const std::string html = RenderTuningPage(inputs);
  const HtmlElement page = Parsed(html);
  EXPECT_THAT(page.Find("script"), SizeIs(1));
  EXPECT_THAT(page.Find("img"), IsEmpty());
  EXPECT_THAT(html, Not(HasSubstr("<script>window")));
  EXPECT_THAT(html, Not(HasSubstr("\xff")));
}

TEST(TuningPageTest, EscapesEachField) {
  for (const auto field : Texts()) {
    std::vector<TuningRecord> log = {
        SampleTrial(100, 1), SampleFailure(TrialStatus::kWrong, "wrong"),
        SampleVerdict(stats::Verdict::kImproved, 0.9, 1)};
    for (TuningRecord& record : log) record.*field = kHostile;
    ExpectHarmless({log});
    // An empty anchor shows the workload.
    for (TuningRecord& record : log) record.anchor = "";
    ExpectHarmless({log});
    // In two runs of tuners, their names are in the charts.
    log[1].seed = 8;
    ExpectHarmless({log});
  }
  const std::vector<TuningRecord> log = {SampleTrial(100)};
  TuningPageInputs inputs = {log};
  inputs.title = inputs.command = kHostile;
  ExpectHarmless(inputs);
}

TEST(TuningPageTest, ShowsHostileTextAsText) {
  std::vector<TuningRecord> log = {
      SampleTrial(100), SampleFailure(TrialStatus::kWrong, "<b>&amp;")};
  log[0].device = log[1].device = "<script>alert(1)</script>";
  const HtmlElement page = Page({log});
  EXPECT_THAT(page.Find("h2")[0]->text, HasSubstr("<script>alert(1)</script>"));
  EXPECT_THAT(page.Find("article")[0]->AllText(), HasSubstr("<b>&amp;"));
}

TEST(TuningPageTest, LongTextsAreCut) {
  std::vector<TuningRecord> log = {SampleTrial(100),
                                   SampleFailure(TrialStatus::kWrong, "x")};
  const size_t before = RenderTuningPage({log}).size();
  for (TuningRecord& record : log) {
    for (const auto field : Texts()) {
      record.*field = std::string(1'000'000, 'x');
    }
  }
  EXPECT_LT(RenderTuningPage({log}).size(), before + 30'000);
}

// Random records give well-formed pages.
TEST(TuningPageTest, RandomRecordsGiveWellFormedPages) {
  Rng rng(5);
  for (int i = 0; i < 200; ++i) {
    std::vector<TuningRecord> log;
    for (int64_t k = rng.UniformInt(1, 30); k > 0; --k) {
      TuningRecord record = SampleTrial(1 + 1e6 * rng.UniformFloat(0, 1),
                                        static_cast<int>(rng.UniformInt(0, 9)));
      record.task = absl::StrCat(rng.UniformInt(0, 3));
      record.threads = static_cast<int>(rng.UniformInt(1, 2));
      record.flops = rng.UniformInt(-1, 2) * 1000;
      record.seed = rng.UniformInt(0, 2);
      record.template_digest = absl::StrCat(rng.UniformInt(0, 5) / 5);
      record.status =
          static_cast<TrialStatus>(std::max<int64_t>(0, rng.UniformInt(-4, 5)));
      if (record.status != TrialStatus::kOk) record.samples_ns.clear();
      if (rng.UniformInt(0, 9) == 0) {
        record.verdict = TuningVerdict{
            static_cast<stats::Verdict>(rng.UniformInt(0, 9)), 0.9, 0.8, 1.1};
      }
      log.push_back(record);
    }
    TuningPageInputs inputs = {log};
    if (i % 2 == 0) inputs.calls = {{"0", 2}, {"1", 0}, {"2", 1}};
    if (i % 3 == 0)
      inputs.peaks = {{log[0].device, {{1, {{Arithmetic::kFloat32, 50}}}}}};
    const HtmlElement page = Page(inputs);
    EXPECT_EQ(page.Find("table", "tasks").size(), page.Find("section").size());
    EXPECT_THAT(page.AllText(), Not(HasSubstr("nan")));
  }
}

TEST(TuningPageTest, LoadsNoResources) {
  const std::vector<TuningRecord> log = SampleLog(6, 40);
  const HtmlElement page = Page({log, SampleCalls(6)});
  for (const HtmlElement* element : page.Find("")) {
    EXPECT_EQ(element->attributes.count("src"), 0u);
    EXPECT_NE(element->tag, "link");
    const auto href = element->attributes.find("href");
    if (href != element->attributes.end()) {
      EXPECT_TRUE(absl::StartsWith(href->second, "#")) << href->second;
    }
    EXPECT_EQ(element->attributes.count("style"), 0u);
    for (const auto& [name, value] : element->attributes) {
      EXPECT_FALSE(absl::StartsWith(name, "on")) << name;
    }
  }
  EXPECT_THAT(page.Find("meta")[1]->attributes.at("content"),
              HasSubstr("default-src 'none'; script-src 'sha256-"));
}

TEST(TuningPageTest, AssetsDoNotCloseTheirElement) {
  for (const absl::string_view part : {TuningScript(), TuningStyle()}) {
    EXPECT_FALSE(part.empty());
    EXPECT_FALSE(absl::StrContains(part, "</"));
    EXPECT_FALSE(absl::StrContains(part, "<!--"));
  }
}

TEST(TuningPageTest, SizeIsWithinLimits) {
  EXPECT_LE(static_cast<int64_t>(RenderTuningPage({}).size()),
            kTuningPageBytes);
  for (const int trials : {1, 100, 1000}) {
    const std::vector<TuningRecord> log = SampleLog(30, trials);
    const auto size =
        static_cast<int64_t>(RenderTuningPage({log, SampleCalls(30)}).size());
    EXPECT_LE(size, kTuningPageBytes + 30 * (kTaskBytes + trials * kTrialBytes))
        << trials << " trials";
    EXPECT_LT(size, 2'000'000);
  }
}

}  // namespace
}  // namespace assay::suites
