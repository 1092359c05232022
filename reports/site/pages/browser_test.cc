// Tests the pages of the site in a browser with synthetic data: contents,
// links, filters, keys, phone and desktop screens, light and dark colour
// schemes, accessibility, and the time until a page can be used. Screenshots
// are written to the test's outputs.
#include "reports/page/testing/browser.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "reports/site/pages/pages.h"
#include "reports/site/pages/testing/sample_site.h"
#include "runtime/base/file.h"

namespace assay::reports::site {
namespace {

using nlohmann::json;

constexpr int kNights = 120;

std::string Runfile(const std::string& path) {
  return absl::StrCat(std::getenv("TEST_SRCDIR"), "/", path);
}

std::string Temp(const std::string& name) {
  return JoinPath(std::getenv("TEST_TMPDIR"), name);
}

struct Display {
  const char* name;
  Screen screen;
};
constexpr Display kDisplays[] = {
    {"phone_light", {360, 740, false}}, {"phone_dark", {360, 740, true}},
    {"desk_light", {1000, 800, false}}, {"desk_dark", {1000, 800, true}},
    {"wide_light", {1600, 900, false}}, {"wide_dark", {1600, 900, true}},
};

// All pages, with the data of cell 0, its culprit and the devices.
std::vector<std::string> AllPages() {
  return {"index.html",
          "cell.html#0",
          "cell.html#4&line=reference&line=5&nights=30",
          "commit.html#" + SampleCommit(kNights * 2 / 3),
          "device.html#host-x86",
          absl::StrCat("compare.html#", kNights - 9, ",", kNights - 1),
          "bisection.html#night-7"};
}

class SiteTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    absl::StatusOr<std::unique_ptr<Browser>> browser =
        Browser::Start(Runfile("debian_browser"));
    ASSERT_TRUE(browser.ok()) << browser.status().message();
    browser_ = browser->release();
    SampleSize size;
    size.nights = kNights;
    const absl::Status written = WriteSampleSite(Temp("site"), size);
    ASSERT_TRUE(written.ok()) << written.message();
  }
  static void TearDownTestSuite() { delete browser_; }

  void SetUp() override { ASSERT_NE(browser_, nullptr); }

  static json Evaluate(const std::string& expression) {
    absl::StatusOr<json> value = browser_->Evaluate(expression);
    EXPECT_TRUE(value.ok()) << expression << ": " << value.status().message();
    return value.ok() ? *value : json();
  }

  // Waits until a page other than the one that SetOld() has marked has shown
  // its data or a problem. Expressions fail while the browser replaces a page.
  static void WaitUntilReady() {
    for (int i = 0; i < 500; ++i) {
      const absl::StatusOr<json> is_ready = browser_->Evaluate(
          "typeof assay !== 'undefined' && typeof oldPage === 'undefined' && "
          "document.readyState === 'complete' && "
          "!document.body.classList.contains('loading')");
      if (is_ready.ok() && *is_ready == true) return;
      absl::SleepFor(absl::Milliseconds(10));
    }
    FAIL() << "the browser does not show another page";
  }
  static void SetOld() { Evaluate("window.oldPage = true"); }

  static void Open(const std::string& page, const Screen& screen = {},
                   const std::string& site = "site") {
    const absl::Status status =
        browser_->Open(absl::StrCat("file://", Temp(site), "/", page), screen);
    ASSERT_TRUE(status.ok()) << status.message();
    WaitUntilReady();
  }

  static void Reload() {
    SetOld();
    ASSERT_TRUE(browser_->Call("Page.reload", json::object()).ok());
    WaitUntilReady();
  }

  static void Pause(int ms) {
    Evaluate(absl::StrCat("new Promise(done => setTimeout(done, ", ms, "))"));
  }

  static void Press(const std::string& key) {
    ASSERT_TRUE(browser_->Press(key).ok()) << key;
  }

  static std::string Text(const std::string& selector) {
    const json text = Evaluate(
        absl::StrCat("(document.querySelector(", json(selector).dump(),
                     ") || {textContent: 'no such element'}).textContent"));
    return text.is_string() ? text.get<std::string>() : "";
  }

  static int Count(const std::string& selector) {
    return Evaluate(absl::StrCat("document.querySelectorAll(",
                                 json(selector).dump(), ").length"))
        .get<int>();
  }

  static void Choose(const std::string& id, const std::string& value) {
    Evaluate(absl::StrCat("(() => { const s = document.getElementById('", id,
                          "'); s.value = ", json(value).dump(),
                          "; s.dispatchEvent(new Event('change')); })()"));
  }

  // The number of rows after the filters: the last number of "1 to 25 of 240".
  static std::string Matches() {
    const std::string status = Text("#cells .pager [role=status]");
    return status.substr(status.rfind(' ') + 1);
  }

  static std::string Hash() { return Evaluate("location.hash"); }

  static std::string Focused() {
    return Evaluate("document.activeElement.textContent");
  }

  static std::string Problem() {
    return Evaluate("document.getElementById('problem').hidden") == true
               ? ""
               : Text("#problem");
  }

  static Browser* browser_;
};

Browser* SiteTest::browser_ = nullptr;

TEST_F(SiteTest, PagesShowTheirData) {
  for (const std::string& page : AllPages()) {
    Open(page);
    EXPECT_EQ(Problem(), "") << page;
    EXPECT_NE(Text("h1"), "Loading") << page;
  }
  Open("index.html");
  EXPECT_TRUE(absl::StrContains(Text("h1"), "1\u00a0wrong output"))
      << Text("h1");
  EXPECT_EQ(Count("#attention tbody tr"), 6);
  EXPECT_EQ(Matches(), "240");
  // Sparklines exist for the visible rows only.
  EXPECT_LE(Count(".spark"), 6 + 25);
}

TEST_F(SiteTest, ChartsAreDrawn) {
  Open("cell.html#0");
  Pause(100);
  EXPECT_EQ(Count(".chart canvas"), 6);
  EXPECT_EQ(
      Evaluate("[...document.querySelectorAll('canvas')].every(c => new Set(c."
               "getContext('2d').getImageData(0, 0, c.width, c.height).data)."
               "size > 10)"),
      true);
  // Both files of the cell are there: older nights, and the newest ones.
  EXPECT_TRUE(absl::StrContains(Text("#summary"), "Nights120"))
      << Text("#summary");
  Open("device.html#host-x86");
  Pause(100);
  EXPECT_EQ(Count(".chart canvas"), 6);
}

TEST_F(SiteTest, SaysThatACellWasNeverTimed) {
  Open("cell.html#2");
  Pause(300);
  EXPECT_EQ(Problem(), "");
  EXPECT_EQ(Text("#history"), "This cell was never timed.");
  EXPECT_TRUE(absl::StrContains(Text("#notes"), "ended the connection"));
  // There are no lines to switch on, but links to the other variants.
  EXPECT_EQ(Count("#lines button"), 0);
  EXPECT_EQ(Count("#lines a"), 6);
}

TEST_F(SiteTest, OnlyCellsWithATraceLinkToPerfetto) {
  Open("cell.html#3");
  EXPECT_EQ(Count("a[href='https://ui.perfetto.dev/']"), 1);
  Open("cell.html#0");
  EXPECT_EQ(Count("a[href*=perfetto]"), 0);
}

TEST_F(SiteTest, FitsAllScreens) {
  for (const Display& display : kDisplays) {
    for (const std::string& page : AllPages()) {
      Open(page, display.screen);
      Pause(150);
      EXPECT_EQ(Evaluate("document.documentElement.scrollWidth"),
                display.screen.width)
          << display.name << " " << page;
      const absl::StatusOr<std::string> png = browser_->Screenshot();
      ASSERT_TRUE(png.ok()) << png.status().message();
      const std::string name =
          absl::StrCat(page.substr(0, page.find('.')),
                       absl::StrContains(page, "#4") ? "_hostile_" : "_",
                       display.name, ".png");
      std::ofstream(JoinPath(std::getenv("TEST_UNDECLARED_OUTPUTS_DIR"), name))
          << *png;
    }
  }
}

TEST_F(SiteTest, IsAccessible) {
  const absl::StatusOr<std::string> axe =
      ReadFile(Runfile("axe_core/axe.min.js"));
  ASSERT_TRUE(axe.ok()) << axe.status().message();
  for (const Display& display : kDisplays) {
    if (display.screen.width == 1000) continue;
    for (const std::string& page : AllPages()) {
      Open(page, display.screen);
      Evaluate(
          "document.querySelectorAll('details').forEach(d => d.open = true)");
      Pause(200);
      ASSERT_TRUE(browser_->Evaluate(*axe + "; 1").ok());
      const json found = Evaluate(
          "axe.run().then(r => ({passes: r.passes.length, violations: "
          "r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => "
          "n.html.slice(0, 200) + ' ' + n.failureSummary).join('; '))}))");
      EXPECT_GT(found["passes"], 20) << display.name << " " << page;
      EXPECT_EQ(found["violations"], json::array())
          << display.name << " " << page;
    }
  }
}

TEST_F(SiteTest, FiltersSurviveReloadAndTheBackButton) {
  Open("index.html");
  // The browser drops entries of a history that has more than fifty.
  ASSERT_TRUE(
      browser_->Call("Page.resetNavigationHistory", json::object()).ok());
  Choose("suite", "kernels");
  EXPECT_EQ(Matches(), "48");
  Choose("threads", "1");
  EXPECT_EQ(Matches(), "24");
  Evaluate("document.querySelector('[data-verdict=pass]').click()");
  const std::string passed = Matches();
  EXPECT_EQ(Hash(), "#suite=kernels&threads=1&verdict=pass");
  Evaluate(
      "[...document.querySelectorAll('.sort')].find(b => b.textContent"
      ".startsWith('Median')).click()");
  const std::string first = Text("#cells tbody td");
  Reload();
  EXPECT_EQ(Matches(), passed);
  EXPECT_EQ(Text("#cells tbody td"), first);
  EXPECT_EQ(Evaluate("document.getElementById('suite').value"), "kernels");
  EXPECT_EQ(Evaluate("document.querySelector('[data-verdict=pass]')"
                     ".getAttribute('aria-pressed')"),
            "true");
  for (int i = 0; i < 2; ++i) {
    Evaluate("history.back()");
    Pause(100);
  }
  EXPECT_EQ(Hash(), "#suite=kernels&threads=1");
  EXPECT_EQ(Matches(), "24");
  EXPECT_EQ(Evaluate("document.querySelector('[data-verdict=pass]')"
                     ".getAttribute('aria-pressed')"),
            "false");
  // Hostile text in the address finds nothing and does nothing.
  Open(
      "index.html#q=%3Cimg%20src=x%20onerror=window.hostile=1%3E&suite=x&page="
      "-1&sort=constructor");
  EXPECT_EQ(Problem(), "");
  EXPECT_EQ(Evaluate("typeof hostile"), "undefined");
}

TEST_F(SiteTest, SearchFindsAllWords) {
  Open("index.html#q=resnet18+tuned");
  const int found = std::atoi(Matches().c_str());
  EXPECT_GT(found, 0);
  EXPECT_LT(found, 40);
  EXPECT_EQ(Evaluate("[...document.querySelectorAll('#cells tbody tr')].every("
                     "r => /resnet18.*tuned/.test(r.textContent))"),
            true);
  Open("index.html#q=nosuchmodel");
  EXPECT_EQ(Text("#cells .pager [role=status]"),
            "No cell matches the filters.");
}

TEST_F(SiteTest, SupportsKeys) {
  Open("index.html");
  // The first tab stop is the skip link. It keeps the address.
  Press("Tab");
  EXPECT_EQ(Evaluate("document.activeElement.className"), "skip");
  Press("Enter");
  EXPECT_EQ(Evaluate("document.activeElement.id"), "main");
  EXPECT_EQ(Hash(), "");
  Press("/");
  EXPECT_EQ(Evaluate("document.activeElement.id"), "q");
  for (const char* key : {"b", "e", "r", "t"}) Press(key);
  EXPECT_EQ(Hash(), "#q=bert");
  // Keys that are typed are not commands; Escape leaves the field.
  Press("?");
  EXPECT_EQ(Count("dialog"), 0);
  Press("Escape");
  EXPECT_EQ(Hash(), "");
  EXPECT_EQ(Matches(), "240");
  Press("j");
  const std::string first = Focused();
  Press("j");
  const std::string second = Focused();
  EXPECT_NE(first, second);
  Press("ArrowDown");
  EXPECT_NE(Focused(), second);
  Press("ArrowUp");
  EXPECT_EQ(Focused(), second);
  Press("k");
  EXPECT_EQ(Focused(), first);
  EXPECT_NE(Evaluate("getComputedStyle(document.activeElement).outlineStyle"),
            "none");
  // The rows go on behind the end of a page.
  for (int i = 0; i < 25; ++i) Press("j");
  EXPECT_EQ(Hash(), "#page=2");
  Press("p");
  Press("?");
  EXPECT_EQ(Evaluate("document.querySelector('dialog').open"), true);
  Press("Escape");
  EXPECT_EQ(Evaluate("document.querySelector('dialog').open"), false);
  Press("j");
  SetOld();
  Press("Enter");
  WaitUntilReady();
  EXPECT_TRUE(absl::StrContains(
      Evaluate("location.pathname").get<std::string>(), "cell.html"));
}

TEST_F(SiteTest, ChartsAnnounceNightsThatKeysSelect) {
  Open("cell.html#0");
  Evaluate("document.querySelector('#history .chart').focus()");
  EXPECT_TRUE(absl::StrContains(
      Evaluate("document.activeElement.getAttribute('aria-label')")
          .get<std::string>(),
      "resnet18"));
  const char kLive[] = "#history [aria-live=polite]";
  EXPECT_EQ(Text(kLive), "");
  Press("ArrowLeft");
  EXPECT_TRUE(absl::StrContains(Text(kLive), "2024-06-27 01:30"))
      << Text(kLive);
  Press("Home");
  EXPECT_TRUE(absl::StrContains(Text(kLive), "2024-03-01 01:30"));
  EXPECT_TRUE(absl::StrContains(Text(kLive), "ms ["));
  Press("End");
  EXPECT_TRUE(absl::StrContains(Text(kLive), "2024-06-28 01:30"));
  // The table has the same numbers, in pages.
  Evaluate("document.querySelector('#history details').open = true");
  Pause(100);
  EXPECT_EQ(Count("#history details tbody tr"), 50);
  EXPECT_TRUE(
      absl::StrContains(Text("#history details td"), "2024-06-28 01:30"));
}

TEST_F(SiteTest, AddressHasLinesAndRange) {
  Open("cell.html#0");
  Pause(300);
  // Seven cells have the same model and device; cell 4 has a hostile name.
  EXPECT_EQ(Count("#lines button"), 1 + 6);
  Evaluate("document.querySelector('#lines button').click()");
  EXPECT_EQ(Hash(), "#0&line=reference");
  EXPECT_TRUE(absl::StrContains(Text("#history .readout"), "other runtime"));
  Press("1");
  EXPECT_EQ(Hash(), "#0&line=reference&nights=30");
  EXPECT_EQ(Text("#history summary"), "30\u00a0nights as a table");
  Reload();
  EXPECT_EQ(Text("#history summary"), "30\u00a0nights as a table");
  EXPECT_TRUE(absl::StrContains(Text("#history .readout"), "other runtime"));
  Evaluate("history.back()");
  Pause(100);
  EXPECT_EQ(Text("#history summary"), "120\u00a0nights as a table");
}

TEST_F(SiteTest, ComparesAnyTwoRuns) {
  Open("compare.html");
  EXPECT_TRUE(absl::StrContains(Text("#summary"), "239\u00a0cells"));
  Open("compare.html#70,119");
  EXPECT_TRUE(absl::StrContains(Text("#environment"), "Commits"));
  // Cell 0 became slower between these runs by 2.1 % and noise.
  Open("compare.html#70,119&q=resnet18/host/fusion_on/threads_1");
  EXPECT_EQ(Matches(), "1");
  EXPECT_TRUE(absl::StrContains(Text("#cells tbody tr"), "regressed"));
  SetOld();
  Evaluate(
      "setTimeout(() => { const s = document.querySelector('#runs select'); "
      "s.value = '5'; s.dispatchEvent(new Event('change')); })");
  WaitUntilReady();
  EXPECT_TRUE(absl::StartsWith(Hash(), "#5,119"));
}

TEST_F(SiteTest, LinksLeadToPagesWithData) {
  std::set<std::string> links;
  for (const std::string& page : AllPages()) {
    Open(page);
    Pause(200);
    for (const json& link :
         Evaluate("[...document.querySelectorAll('a[href]')].map(a => "
                  "a.getAttribute('href'))")) {
      links.insert(link.get<std::string>());
    }
  }
  int opened = 0;
  std::set<std::string> kinds;
  for (const std::string& link : links) {
    if (!absl::StrContains(link, ".html")) continue;
    Open(link);
    EXPECT_EQ(Problem(), "") << link;
    kinds.insert(link.substr(0, link.find('.')));
    ++opened;
  }
  EXPECT_GT(opened, 40);
  EXPECT_EQ(kinds, (std::set<std::string>{"bisection", "cell", "commit",
                                          "compare", "device", "index"}));
}

TEST_F(SiteTest, HostileNamesStayText) {
  for (const std::string& page : AllPages()) {
    Open(page);
    Pause(100);
    EXPECT_EQ(Evaluate("typeof hostile"), "undefined") << page;
    EXPECT_EQ(Count("img"), 0) << page;
  }
  Open("cell.html#4");
  EXPECT_EQ(Text("h1"), kHostileName);
  // The content security policy blocks inline scripts.
  EXPECT_EQ(Evaluate("(() => { const s = document.createElement('script');"
                     "s.textContent = 'window.hostile = 1';"
                     "document.body.append(s); return typeof hostile; })()"),
            "undefined");
}

TEST_F(SiteTest, SaysWhatIsMissing) {
  struct Case {
    std::string page;
    std::string sentence;
  };
  const std::vector<Case> cases = {
      {"cell.html#99999", "no cell 99999"},
      {"cell.html", "names no cell"},
      {"cell.html#../../../etc/passwd", "names no cell"},
      {"commit.html#0123456789ab", "is of commit 0123456789ab"},
      {"commit.html#../x", "is not a commit"},
      {"device.html#../front", "no device"},
      {"device.html#constructor", "no device"},
      {"bisection.html#%2e%2e%2ffront", "no bisection"},
      {"compare.html#1,2000", "does not name two runs"},
      {"compare.html#https://example.org/x.js", "does not name two runs"},
  };
  for (const Case& c : cases) {
    Open(c.page);
    EXPECT_TRUE(absl::StrContains(Problem(), c.sentence))
        << c.page << ": " << Problem();
    // No script was asked for by a name that was not checked.
    EXPECT_EQ(Evaluate("[...document.scripts].filter(s => !/^(data\\/)?([a-z]+"
                       "\\/)?[A-Za-z0-9._-]+\\.js$/.test(s.getAttribute('src')"
                       ")).length"),
              0)
        << c.page;
  }
  // A site without data, and one with a damaged file.
  ASSERT_TRUE(MakeDirs(Temp("empty/data")).ok());
  for (const PageFile& file : PageFiles()) {
    ASSERT_TRUE(
        WriteFileAtomic(JoinPath(Temp("empty"), file.name), file.contents)
            .ok());
  }
  for (const char* page :
       {"index.html", "cell.html#0", "commit.html#0123456",
        "device.html#host-x86", "compare.html", "bisection.html#night-7"}) {
    Open(page, {}, "empty");
    EXPECT_TRUE(absl::StrContains(Problem(), "There is no file data/")) << page;
  }
  ASSERT_TRUE(WriteFileAtomic(Temp("empty/data/front.js"),
                              "assay.load(\"front\", {\"version\":1,")
                  .ok());
  Open("index.html", {}, "empty");
  EXPECT_TRUE(absl::StrContains(Problem(), "data/front.js is damaged"));
}

// The best of five is compared with the limit, because other programs may run.
TEST_F(SiteTest, IsFastWithTenThousandCells) {
  SampleSize size;
  size.cells = 10'000;
  size.nights = 1'000;
  size.cell_files = 100;
  size.run_files = 2;
  ASSERT_TRUE(WriteSampleSite(Temp("scale"), size).ok());
  const auto best = [&](const std::string& page, const std::string& mark) {
    double ms = 1e9;
    for (int i = 0; i < 5; ++i) {
      Open(page, {}, "scale");
      const json time = Evaluate(absl::StrCat("performance.getEntriesByName('",
                                              mark, "')[0].startTime"));
      if (time.is_number()) ms = std::min(ms, time.get<double>());
    }
    RecordProperty(mark, static_cast<int>(ms));
    return ms;
  };
  EXPECT_LE(best("index.html", "ready"), 1500);
  EXPECT_LE(best("cell.html#77", "chart"), 300);
}

}  // namespace
}  // namespace assay::reports::site
