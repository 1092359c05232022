#include "reports/site/pages/pages.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "reports/page/testing/html.h"

namespace assay::reports::site {
namespace {

// The limit of the size of all files, with the chart library.
constexpr size_t kMaxBytes = 160'000;

absl::string_view Contents(absl::string_view name) {
  for (const PageFile& file : PageFiles()) {
    if (file.name == name) return file.contents;
  }
  ADD_FAILURE() << "there is no file " << name;
  return "";
}

bool Exists(absl::string_view name) {
  return std::any_of(PageFiles().begin(), PageFiles().end(),
                     [&](const PageFile& file) { return file.name == name; });
}

// The names of the pages without their extension.
std::vector<std::string> Pages() {
  std::vector<std::string> pages;
  for (const PageFile& file : PageFiles()) {
    if (absl::EndsWith(file.name, ".html")) {
      pages.emplace_back(absl::StripSuffix(file.name, ".html"));
    }
  }
  return pages;
}

HtmlElement Parsed(const std::string& page) {
  absl::StatusOr<HtmlElement> html =
      ParseHtml(Contents(absl::StrCat(page, ".html")));
  EXPECT_TRUE(html.ok()) << page << ": " << html.status().message();
  return html.ok() ? *html : HtmlElement();
}

std::set<std::string> IdsOf(const HtmlElement& page) {
  std::set<std::string> ids;
  for (const HtmlElement* element : page.Find("")) {
    const auto id = element->attributes.find("id");
    if (id != element->attributes.end()) ids.insert(id->second);
  }
  return ids;
}

TEST(PagesTest, AreSixPagesInAlphabeticalOrder) {
  EXPECT_EQ(Pages(), (std::vector<std::string>{"bisection", "cell", "commit",
                                               "compare", "device", "index"}));
  EXPECT_TRUE(std::is_sorted(
      PageFiles().begin(), PageFiles().end(),
      [](const PageFile& a, const PageFile& b) { return a.name < b.name; }));
}

TEST(PagesTest, ReferToFilesThatExist) {
  std::set<std::string> used;
  for (const std::string& page : Pages()) {
    const HtmlElement html = Parsed(page);
    for (const HtmlElement* element : html.Find("")) {
      for (const char* attribute : {"src", "href"}) {
        const auto found = element->attributes.find(attribute);
        if (found == element->attributes.end()) continue;
        const std::string& target = found->second;
        // The icon is empty, the feed is written with the data, and a fragment
        // is a place in the page.
        if (target == "data:," || target == "feed.xml") continue;
        if (absl::StartsWith(target, "#")) {
          EXPECT_EQ(IdsOf(html).count(target.substr(1)), 1)
              << page << ": " << target;
          continue;
        }
        EXPECT_TRUE(Exists(target)) << page << ": " << target;
        used.insert(target);
      }
    }
  }
  // Every script and style is used.
  for (const PageFile& file : PageFiles()) {
    if (absl::EndsWith(file.name, ".html")) continue;
    EXPECT_EQ(used.count(std::string(file.name)), 1) << file.name;
  }
}

TEST(PagesTest, HaveNeitherInlineScriptsNorInlineStyles) {
  for (const std::string& page : Pages()) {
    const HtmlElement html = Parsed(page);
    EXPECT_TRUE(html.Find("style").empty()) << page;
    for (const HtmlElement* script : html.Find("script")) {
      EXPECT_EQ(script->text, "") << page;
      EXPECT_EQ(script->attributes.count("src"), 1) << page;
    }
    for (const HtmlElement* element : html.Find("")) {
      EXPECT_EQ(element->attributes.count("style"), 0) << page;
      for (const auto& [name, value] : element->attributes) {
        EXPECT_FALSE(absl::StartsWith(name, "on")) << page << ": " << name;
      }
    }
  }
}

TEST(PagesTest, HaveAStrictContentSecurityPolicy) {
  for (const std::string& page : Pages()) {
    std::string policy;
    const HtmlElement html = Parsed(page);
    for (const HtmlElement* meta : html.Find("meta")) {
      const auto kind = meta->attributes.find("http-equiv");
      if (kind == meta->attributes.end()) continue;
      EXPECT_EQ(kind->second, "Content-Security-Policy");
      policy = meta->attributes.at("content");
    }
    EXPECT_EQ(policy,
              "default-src 'none'; script-src 'self' file:; style-src 'self' "
              "file:; img-src 'self' data:; connect-src 'none'; base-uri "
              "'none'; form-action 'none'")
        << page;
  }
}

// Text from data becomes text nodes; nothing parses it as HTML or as a script.
TEST(PagesTest, ScriptsNeverParseText) {
  for (const PageFile& file : PageFiles()) {
    if (!absl::EndsWith(file.name, ".js") || file.name == "uplot.js") continue;
    EXPECT_TRUE(absl::StartsWith(file.contents, "\"use strict\";"))
        << file.name;
    for (const char* bad :
         {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write",
          "DOMParser", "createContextualFragment", "eval(", "Function(",
          "fetch(", "XMLHttpRequest", "setAttribute(\"on", ".style ="}) {
      EXPECT_FALSE(absl::StrContains(file.contents, bad))
          << file.name << ": " << bad;
    }
  }
}

// The elements that a script fills are in its page.
TEST(PagesTest, HaveTheElementsThatScriptsFill) {
  int checked = 0;
  for (const std::string& page : Pages()) {
    const std::set<std::string> ids = IdsOf(Parsed(page));
    const absl::string_view script = Contents(absl::StrCat(page, ".js"));
    for (const char* call : {"fill(\"", "byId(\""}) {
      const std::vector<absl::string_view> parts = absl::StrSplit(script, call);
      for (size_t i = 1; i < parts.size(); ++i) {
        const std::string id(parts[i].substr(0, parts[i].find('"')));
        // The script itself adds this one.
        if (page == "cell" && (id == "verdict" || id == "device")) continue;
        EXPECT_EQ(ids.count(id), 1) << page << ": " << id;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 40);
}

TEST(PagesTest, LabelsAreInThePage) {
  for (const std::string& page : Pages()) {
    const HtmlElement html = Parsed(page);
    EXPECT_EQ(html.Find("h1").size(), 1) << page;
    EXPECT_EQ(html.Find("main").size(), 1) << page;
    const std::set<std::string> ids = IdsOf(html);
    EXPECT_EQ(ids.count("problem"), 1) << page;
    for (const HtmlElement* section : html.Find("section")) {
      EXPECT_EQ(ids.count(section->attributes.at("aria-labelledby")), 1)
          << page;
    }
  }
}

TEST(PagesTest, AreSmall) {
  size_t bytes = 0;
  for (const PageFile& file : PageFiles()) bytes += file.contents.size();
  EXPECT_LE(bytes, kMaxBytes);
  RecordProperty("bytes", static_cast<int>(bytes));
}

}  // namespace
}  // namespace assay::reports::site
