// Tests the page of a tuning run in a browser with desktop and phone screens
// and light and dark colour schemes. Screenshots are written to the test's
// outputs.
#include "reports/page/testing/browser.h"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "runtime/base/file.h"
#include "suites/kernels/peak/arithmetic.h"
#include "suites/tune/page/testing/sample_log.h"
#include "suites/tune/page/tuning_page.h"

namespace assay::suites {
namespace {

using nlohmann::json;
using reports::Browser;
using reports::Screen;

constexpr int kTasks = 12;

std::string Runfile(const std::string& path) {
  return absl::StrCat(std::getenv("TEST_SRCDIR"), "/", path);
}

class BrowserTest : public testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<Browser>> browser =
        Browser::Start(Runfile("debian_browser"));
    ASSERT_TRUE(browser.ok()) << browser.status().message();
    browser_ = *std::move(browser);
    const std::vector<TuningRecord> log = SampleLog(kTasks, 300);
    TuningPageInputs inputs = {log, SampleCalls(kTasks)};
    inputs.peaks = {{log[0].device, {{2, {{Arithmetic::kFloat32, 224.0}}}}}};
    inputs.title = "resnet18";
    inputs.command = "bazel run //suites:tune -- --model=resnet18";
    path_ = JoinPath(std::getenv("TEST_TMPDIR"), "page.html");
    ASSERT_TRUE(WriteFileAtomic(path_, RenderTuningPage(inputs)).ok());
  }

  void Open(const Screen& screen) {
    const absl::Status status =
        browser_->Open(absl::StrCat("file://", path_), screen);
    ASSERT_TRUE(status.ok()) << status.message();
  }

  json Evaluate(const std::string& expression) {
    absl::StatusOr<json> value = browser_->Evaluate(expression);
    EXPECT_TRUE(value.ok()) << value.status().message();
    return value.ok() ? *value : json();
  }

  // Returns the numbers of a column from top to bottom; null if there is none.
  json Column(int column) {
    return Evaluate(absl::StrCat(
        "[...document.querySelectorAll('.tasks tbody tr')].map(row => { const "
        "v = row.cells[",
        column, "].dataset.value; return v === '' ? null : Number(v); })"));
  }

  std::unique_ptr<Browser> browser_;
  std::string path_;
};

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

TEST_F(BrowserTest, FitsAllScreens) {
  for (const Display& display : kDisplays) {
    Open(display.screen);
    EXPECT_EQ(Evaluate("document.documentElement.scrollWidth"),
              display.screen.width)
        << display.name;
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
    Evaluate(
        "document.querySelectorAll('details').forEach(d => d.open = true)");
    ASSERT_TRUE(browser_->Evaluate(*axe + "; 1").ok());
    const json found = Evaluate(
        "axe.run().then(r => ({passes: r.passes.length, violations: "
        "r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => "
        "n.html.slice(0, 200) + ' ' + n.failureSummary).join('; '))}))");
    EXPECT_GT(found["passes"], 15) << display.name;
    EXPECT_EQ(found["violations"], json::array()) << display.name;
  }
}

// Dots are paths without length, which not every renderer draws.
TEST_F(BrowserTest, DrawsTheDots) {
  Open({});
  EXPECT_EQ(Evaluate("document.querySelectorAll('.curve').length"), kTasks);
  EXPECT_EQ(Evaluate("(() => { const p = document.querySelector('.curve .dots')"
                     "; const s = getComputedStyle(p); return [s.strokeLinecap,"
                     " s.vectorEffect, s.strokeWidth]; })()"),
            json({"round", "non-scaling-stroke", "4px"}));
}

TEST_F(BrowserTest, SortsTheTable) {
  Open({});
  const auto click = [&](int column) {
    Evaluate(absl::StrCat("document.querySelectorAll('.tasks thead button')[",
                          column, "].click()"));
  };
  const auto sorted = [](json values, bool descending) {
    std::vector<double> numbers;
    size_t nulls = 0;
    for (const json& value : values) {
      if (value.is_null()) {
        ++nulls;
      } else {
        EXPECT_EQ(nulls, 0u) << "a number after a missing one";
        numbers.push_back(value.get<double>());
      }
    }
    if (descending) std::reverse(numbers.begin(), numbers.end());
    return std::is_sorted(numbers.begin(), numbers.end()) &&
           numbers.size() + nulls == kTasks;
  };
  constexpr int kRate = 3;
  click(kRate);
  EXPECT_TRUE(sorted(Column(kRate), true)) << Column(kRate);
  EXPECT_EQ(Evaluate("document.querySelectorAll('[aria-sort=descending]')"
                     ".length"),
            1);
  click(kRate);
  EXPECT_TRUE(sorted(Column(kRate), false)) << Column(kRate);
  click(0);
  EXPECT_EQ(
      Evaluate("(() => { const n = [...document.querySelectorAll("
               "'.tasks tbody th')].map(t => t.textContent); return n.every("
               "(t, i) => i === 0 || n[i - 1].localeCompare(t) <= 0); })()"),
      true);
  // The keyboard works, too.
  Evaluate("document.querySelectorAll('.tasks thead button')[1].focus()");
  ASSERT_TRUE(browser_->Press("Enter").ok());
  EXPECT_EQ(Evaluate("document.querySelector('[aria-sort]').textContent"),
            "Default");
}

}  // namespace
}  // namespace assay::suites
