#include "reports/page/page.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "reports/page/assets.h"
#include "reports/page/testing/history.h"
#include "reports/page/testing/html.h"
#include "reports/result/row_fields.h"
#include "reports/result/testing/sample_result.h"

namespace assay::reports {
namespace {

HtmlElement Parsed(const std::string& html) {
  absl::StatusOr<HtmlElement> page = ParseHtml(html);
  EXPECT_TRUE(page.ok()) << page.status().message();
  return page.ok() ? *page : HtmlElement();
}

std::vector<const HtmlElement*> CardsOf(const HtmlElement& page) {
  return page.Find("article");
}

nlohmann::json DataOf(const HtmlElement& page) {
  for (const HtmlElement* script : page.Find("script")) {
    if (script->attributes.count("id") > 0) {
      return nlohmann::json::parse(script->text);
    }
  }
  ADD_FAILURE() << "the page has no data";
  return {};
}

TEST(PageTest, IsWellFormed) {
  Parsed(RenderPage({}));
  Parsed(RenderPage(SampleHistory(20)));
  Parsed(RenderPage({SampleResult()}));
}

TEST(PageTest, ParserRejectsMalformedHtml) {
  for (const char* body :
       {"<p>", "<p></b></p>", "</p>", "<p id=\"a\"></p><p id=\"a\"></p>",
        "<p class=a></p>", "a > b", "a & b",
        "<p class=\"a\" class=\"b\"></p>"}) {
    EXPECT_FALSE(ParseHtml(absl::StrCat("<!DOCTYPE html>\n", body)).ok())
        << body;
  }
}

TEST(PageTest, EmptyHistoryIsStated) {
  const HtmlElement page = Parsed(RenderPage({}));
  EXPECT_TRUE(absl::StrContains(page.AllText(), "There is no run yet."));
  EXPECT_TRUE(absl::StrContains(page.AllText(), "Nothing was judged."));
}

TEST(PageTest, TopShowsCoverageTimeAndMachine) {
  const HtmlElement page = Parsed(RenderPage(SampleHistory(20)));
  const std::string top = page.Find("header", "top")[0]->AllText();
  EXPECT_TRUE(absl::StrContains(top, "2024-05-20 02:30 UTC")) << top;
  EXPECT_TRUE(absl::StrContains(top, "AMD EPYC 7B13")) << top;
  const std::string census = page.Find("table", "census")[0]->AllText();
  EXPECT_TRUE(absl::StrContains(
      census, "1 no baseline: there is nothing to compare with"))
      << census;
  EXPECT_FALSE(absl::StrContains(page.AllText(), "Nothing was judged."));
}

TEST(PageTest, CardsContainAllFieldsOfTheirRows) {
  const std::vector<RunResult> history = SampleHistory(20);
  const HtmlElement page = Parsed(RenderPage(history));
  size_t found = 0;
  for (const HtmlElement* card : CardsOf(page)) {
    RowFields fields;
    for (const HtmlElement* line :
         card->Find("table", "fields")[0]->Find("tr")) {
      fields.emplace_back(line->Find("th")[0]->text, line->Find("td")[0]->text);
    }
    bool any = false;
    for (const RunResult& run : history) {
      for (const Row& row : run.rows) any = any || FieldsOf(row) == fields;
    }
    found += any ? 1 : 0;
  }
  EXPECT_EQ(found, CardsOf(page).size());
  EXPECT_EQ(found, 12u);
}

TEST(PageTest, ContainsHistoryAsData) {
  const std::vector<RunResult> history = SampleHistory(60);
  const HtmlElement page = Parsed(RenderPage(history));
  const nlohmann::json data = DataOf(page);
  ASSERT_EQ(data["runs"].size(), 60u);
  EXPECT_EQ(data["runs"][0], "2024-05-01 02:30 100456789a");
  EXPECT_EQ(data["times"][0], 1714530600);
  const std::vector<const HtmlElement*> cards = CardsOf(page);
  ASSERT_EQ(data["cells"].size(), cards.size());
  for (size_t i = 0; i < cards.size(); ++i) {
    EXPECT_EQ(cards[i]->attributes.at("id"), absl::StrCat("cell-", i));
    const nlohmann::json& cell = data["cells"][i];
    for (const char* column : {"median", "lower", "upper", "verdict"}) {
      EXPECT_EQ(cell[column].size(), cell["run"].size());
    }
    if (cards[i]->attributes.at("data-verdict") != "regressed") continue;
    EXPECT_EQ(cell["run"].size(), 60u);
    EXPECT_NEAR(cell["median"][0].get<double>(), 16.97, 0.4);
    EXPECT_EQ(cell["changes"][0][0], 40);
    EXPECT_EQ(cell["changes"][0][3], "▲ +4.1\u00a0%");
    EXPECT_EQ(cell["environments"][0].dump(), R"([30,"◇"])");
    const std::string text = cards[i]->AllText();
    EXPECT_TRUE(absl::StrContains(text, "2024-06-10 02:30")) << text;
    EXPECT_TRUE(absl::StrContains(
        text,
        "code: code of 1 of 2 kernels: k007_conv2d_relu; +4.1\u00a0% in "
        "[+3.7\u00a0%, +4.6\u00a0%]; side by side: regressed"))
        << text;
    EXPECT_TRUE(
        absl::StrContains(text, "k007_conv2d_relu (layer2.0.conv1): +0.6 ms"))
        << text;
    EXPECT_TRUE(absl::StrContains(text, "kernel: 6.1.0-38, before 6.1.0-37"));
    const std::string command = cards[i]->Find("pre")[0]->AllText();
    EXPECT_TRUE(absl::StrContains(command, "//suites:resnet18")) << command;
  }
}

TEST(PageTest, EscapesUntrustedText) {
  const std::string html = RenderPage(SampleHistory(20));
  EXPECT_FALSE(absl::StrContains(html, "<script>window"));
  EXPECT_FALSE(absl::StrContains(html, "<img"));
  const HtmlElement page = Parsed(html);
  EXPECT_EQ(page.Find("script").size(), 3u);
  size_t found = 0;
  for (const HtmlElement* card : CardsOf(page)) {
    found += card->attributes.at("data-model") == kHostileName ? 1 : 0;
  }
  EXPECT_EQ(found, 1u);
}

TEST(PageTest, RandomResultsGiveWellFormedPages) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const HtmlElement page =
        Parsed(RenderPage({RandomResult(seed), RandomResult(seed + 1000)}));
    EXPECT_EQ(DataOf(page)["cells"].size(), CardsOf(page).size());
  }
}

// All links point into the page itself.
TEST(PageTest, LoadsNoResources) {
  const HtmlElement page = Parsed(RenderPage(SampleHistory(20)));
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
  EXPECT_TRUE(absl::StrContains(page.Find("meta")[1]->attributes.at("content"),
                                "default-src 'none'; script-src 'sha256-"));
}

TEST(PageTest, CardsOfTunedRowsSaySo) {
  const HtmlElement page = Parsed(RenderPage({TunedResult()}));
  ASSERT_EQ(CardsOf(page).size(), 2u);
  EXPECT_TRUE(absl::StrContains(CardsOf(page)[0]->AllText(),
                                "resnet18 on host, fusion on, tuned, 2 "));
  EXPECT_TRUE(absl::StrContains(CardsOf(page)[1]->AllText(),
                                "resnet18 on host, fusion on, 2 threads"));
}

TEST(PageTest, AssetsDoNotCloseTheirElement) {
  for (const absl::string_view part :
       {ChartScript(), ChartStyle(), PageScript(), PageStyle()}) {
    EXPECT_FALSE(part.empty());
    EXPECT_FALSE(absl::StrContains(part, "</"));
    EXPECT_FALSE(absl::StrContains(part, "<!--"));
  }
}

TEST(PageTest, SizeIsWithinLimits) {
  EXPECT_LE(static_cast<int64_t>(RenderPage({}).size()), kPageBytes);
  for (const int nights : {20, 200}) {
    const std::vector<RunResult> history = SampleHistory(nights);
    const auto size = static_cast<int64_t>(RenderPage(history).size());
    EXPECT_LE(size, kPageBytes + 12 * (kCardBytes + nights * kNightBytes))
        << nights << " nights";
  }
}

TEST(PageTest, IsDeterministic) {
  EXPECT_EQ(RenderPage(SampleHistory(30)), RenderPage(SampleHistory(30)));
}

}  // namespace
}  // namespace assay::reports
