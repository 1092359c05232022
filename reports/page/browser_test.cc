// Tests the page in a browser with desktop and phone screens and light and dark
// colour schemes. Screenshots are written to the test's outputs.
#include "reports/page/testing/browser.h"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "reports/page/page.h"
#include "reports/page/testing/history.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

using nlohmann::json;

constexpr int kCells = 12;

std::string Runfile(const std::string& path) {
  return absl::StrCat(std::getenv("TEST_SRCDIR"), "/", path);
}

class BrowserTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    absl::StatusOr<std::unique_ptr<Browser>> browser =
        Browser::Start(Runfile("debian_browser"));
    ASSERT_TRUE(browser.ok()) << browser.status().message();
    browser_ = browser->release();
    path_ = new std::string(JoinPath(std::getenv("TEST_TMPDIR"), "page.html"));
    ASSERT_TRUE(WriteFileAtomic(*path_, RenderPage(SampleHistory(60))).ok());
  }
  static void TearDownTestSuite() {
    delete browser_;
    delete path_;
  }

  void SetUp() override { ASSERT_NE(browser_, nullptr); }

  static void Open(const Screen& screen, const std::string& fragment = "") {
    const absl::Status status =
        browser_->Open(absl::StrCat("file://", *path_, fragment), screen);
    ASSERT_TRUE(status.ok()) << status.message();
  }

  static json Evaluate(const std::string& expression) {
    absl::StatusOr<json> value = browser_->Evaluate(expression);
    EXPECT_TRUE(value.ok()) << value.status().message();
    return value.ok() ? *value : json();
  }

  static void Press(const std::string& key) {
    ASSERT_TRUE(browser_->Press(key).ok()) << key;
  }

  static int Shown() {
    return Evaluate("document.querySelectorAll('article:not([hidden])').length")
        .get<int>();
  }

  // Scrolls through the page to draw all charts.
  static void DrawAll() {
    Evaluate(
        "(async () => { for (const c of document.querySelectorAll('.chart')) {"
        "  c.scrollIntoView();"
        "  await new Promise(r => requestAnimationFrame(() => "
        "    setTimeout(r, 20))); }"
        "  scrollTo(0, 0); })()");
  }

  static Browser* browser_;
  static std::string* path_;
};

Browser* BrowserTest::browser_ = nullptr;
std::string* BrowserTest::path_ = nullptr;

struct Display {
  const char* name;
  Screen screen;
};
constexpr Display kDisplays[] = {
    {"desk_light", {1280, 900, false}},
    {"desk_dark", {1280, 900, true}},
    {"phone_light", {360, 740, false}},
    {"phone_dark", {360, 740, true}},
};

TEST_F(BrowserTest, DrawsChartsOfTimedCells) {
  Open({});
  DrawAll();
  EXPECT_EQ(Evaluate("document.querySelectorAll('.chart').length"), kCells - 2);
  EXPECT_EQ(Evaluate("document.querySelectorAll('.chart canvas').length"),
            kCells - 2);
  // The pixels of a chart are not all equal.
  EXPECT_EQ(Evaluate("(() => { const c = document.querySelector('canvas');"
                     "const d = c.getContext('2d').getImageData(0, 0, c.width, "
                     "c.height).data; return new Set(d).size > 10; })()"),
            true);
}

TEST_F(BrowserTest, RunsNoUntrustedScripts) {
  Open({});
  DrawAll();
  EXPECT_EQ(Evaluate("typeof hostile"), "undefined");
  EXPECT_EQ(Evaluate("document.querySelectorAll('img').length"), 0);
  // The content security policy blocks injected scripts.
  EXPECT_EQ(Evaluate("(() => { const s = document.createElement('script');"
                     "s.textContent = 'window.hostile = 1';"
                     "document.body.append(s); return typeof hostile; })()"),
            "undefined");
}

TEST_F(BrowserTest, FitsAllScreens) {
  for (const Display& display : kDisplays) {
    Open(display.screen);
    DrawAll();
    EXPECT_EQ(Evaluate("document.documentElement.scrollWidth"),
              display.screen.width)
        << display.name;
    // Cards do not overflow.
    EXPECT_EQ(Evaluate("[...document.querySelectorAll('article')].filter(a => "
                       "a.scrollWidth > a.clientWidth + 1).length"),
              0)
        << display.name;
    const absl::StatusOr<std::string> png = browser_->Screenshot();
    ASSERT_TRUE(png.ok()) << png.status().message();
    const char* outputs = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
    std::ofstream(absl::StrCat(outputs, "/", display.name, ".png")) << *png;
  }
}

TEST_F(BrowserTest, IsAccessible) {
  const absl::StatusOr<std::string> axe =
      ReadFile(Runfile("axe_core/axe.min.js"));
  ASSERT_TRUE(axe.ok()) << axe.status().message();
  for (const Display& display : kDisplays) {
    Open(display.screen);
    DrawAll();
    Evaluate(
        "document.querySelectorAll('details').forEach(d => d.open = true)");
    ASSERT_TRUE(browser_->Evaluate(*axe + "; 1").ok());
    const json found = Evaluate(
        "axe.run().then(r => ({passes: r.passes.length, violations: "
        "r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => "
        "n.html.slice(0, 200) + ' ' + n.failureSummary).join('; '))}))");
    EXPECT_GT(found["passes"], 20) << display.name;
    EXPECT_EQ(found["violations"], json::array()) << display.name;
  }
}

TEST_F(BrowserTest, FiltersBySuiteModelAndVerdict) {
  Open({});
  EXPECT_EQ(Shown(), kCells);
  const auto choose = [](const std::string& id, const std::string& value) {
    Evaluate(absl::StrCat("(() => { const s = document.getElementById('", id,
                          "'); s.value = ", json(value).dump(),
                          "; s.dispatchEvent(new Event('change')); })()"));
  };
  choose("suite", "gemm");
  EXPECT_EQ(Shown(), 4);
  choose("model", "gemm_512");
  EXPECT_EQ(Shown(), 1);
  EXPECT_EQ(Evaluate("document.getElementById('shown').textContent"),
            "1 of 12 cells");
  choose("model", "resnet18");
  EXPECT_EQ(Shown(), 0);
  Evaluate(
      "document.querySelector('[type=reset]').click(), "
      "new Promise(r => setTimeout(r, 50))");
  EXPECT_EQ(Shown(), kCells);
  choose("model", kHostileName);
  EXPECT_EQ(Shown(), 1);
  Evaluate(
      "document.querySelector('[type=reset]').click(), "
      "new Promise(r => setTimeout(r, 50))");
  Evaluate("document.querySelector('[data-verdict=regressed]').click()");
  EXPECT_EQ(Shown(), 1);
  Evaluate("document.querySelector('[data-verdict=improved]').click()");
  EXPECT_EQ(Shown(), 2);
}

TEST_F(BrowserTest, UrlFragmentStoresFilters) {
  Open({}, "#suite=gemm&verdict=no_baseline");
  EXPECT_EQ(Shown(), 1);
  EXPECT_EQ(Evaluate("location.hash"), "#suite=gemm&verdict=no_baseline");
}

TEST_F(BrowserTest, SupportsKeyboardNavigation) {
  Open({});
  // The first tab stop is the skip link.
  Press("Tab");
  EXPECT_EQ(Evaluate("document.activeElement.className"), "skip");
  // Every control is a tab stop with a visible focus.
  const auto tab_to = [](const std::string& selector) {
    for (int i = 0; i < 200; ++i) {
      if (Evaluate(absl::StrCat("document.activeElement.matches('", selector,
                                "')")) == true) {
        return true;
      }
      Press("Tab");
    }
    return false;
  };
  ASSERT_TRUE(tab_to("[data-verdict=regressed]"));
  EXPECT_NE(Evaluate("getComputedStyle(document.activeElement).outlineStyle"),
            "none");
  Press(" ");
  EXPECT_EQ(Shown(), 1);
  ASSERT_TRUE(tab_to("#suite"));
  ASSERT_TRUE(tab_to(".chart"));
  const char kNight[] = "document.activeElement.getAttribute('aria-valuenow')";
  EXPECT_EQ(Evaluate(kNight), "60");
  Press("ArrowLeft");
  EXPECT_EQ(Evaluate(kNight), "59");
  Press("Home");
  EXPECT_EQ(Evaluate(kNight), "1");
  EXPECT_EQ(Evaluate("document.activeElement.getAttribute('aria-valuetext')"
                     ".slice(0, 16)"),
            "2024-05-01 02:30");
  Press("End");
  EXPECT_EQ(Evaluate(kNight), "60");
  ASSERT_TRUE(tab_to(".nights summary"));
  Press("Enter");
  EXPECT_EQ(Evaluate("new Promise(r => setTimeout(() => r(document"
                     ".querySelectorAll('.nights tbody tr').length), 200))"),
            60);
  ASSERT_TRUE(tab_to(".copy"));
  Press("Enter");
  EXPECT_EQ(Evaluate("new Promise(r => setTimeout(() => r(document"
                     ".activeElement.textContent !== 'Copy'), 200))"),
            true);
}

}  // namespace
}  // namespace assay::reports
