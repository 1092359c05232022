#include "reports/site/news.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/site/testing/site_fixture.h"
#include "reports/store/record_log.h"

namespace assay::reports {
namespace {

// Checks that `xml` is well-formed, as far as a writer can be wrong: elements
// are closed in their order, attributes are quoted, and references are known.
// Returns what is wrong.
std::string Wrong(const std::string& xml) {
  std::vector<std::string> open;
  size_t at = 0;
  if (absl::StartsWith(xml, "<?xml ")) at = xml.find("?>") + 2;
  while (at < xml.size()) {
    if (xml[at] == '&') {
      const size_t end = xml.find(';', at);
      const std::string name =
          end == std::string::npos ? "" : xml.substr(at + 1, end - at - 1);
      static const auto* const kKnown = new std::set<std::string>{
          "lt", "gt", "amp", "quot", "apos", "#9", "#10", "#13", "#34", "#39"};
      if (kKnown->count(name) == 0) return "reference `" + name + "`";
    }
    if (xml[at] != '<') {
      if (static_cast<unsigned char>(xml[at]) < 0x20 && xml[at] != '\n') {
        return "control character";
      }
      ++at;
      continue;
    }
    const size_t end = xml.find('>', at);
    if (end == std::string::npos) return "open tag";
    std::string tag = xml.substr(at + 1, end - at - 1);
    at = end + 1;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return tag;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    if (open.empty() && at + 1 < xml.size()) return "text after the end";
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

std::vector<std::string> IdsOf(const std::string& xml) {
  std::vector<std::string> ids;
  for (const std::string& part :
       std::vector<std::string>(absl::StrSplit(xml, "<entry>\n<id>"))) {
    ids.push_back(part.substr(0, part.find("</id>")));
  }
  ids.erase(ids.begin());
  return ids;
}

class NewsTest : public ::testing::Test {
 protected:
  NewsTest()
      : dir_(*TempDir::CreateInMemory()),
        store_(JoinPath(dir_.path(), "store")),
        site_(JoinPath(dir_.path(), "site")) {
    EXPECT_TRUE(MakeDirs(store_).ok());
  }

  std::string Written(const char* file) {
    const auto summary = WriteFixtureSite(store_, site_);
    EXPECT_TRUE(summary.ok()) << summary.status();
    return ReadFile(JoinPath(site_, file)).value_or("");
  }

  TempDir dir_;
  std::string store_;
  std::string site_;
};

TEST_F(NewsTest, FeedIsWellFormedAndItsIdsStay) {
  FakeStoreOptions options;
  options.nights = 60;
  options.code_changes = 0.1;
  FakeStore store(options);
  for (int night = 0; night < 50; ++night) {
    ASSERT_TRUE(store.AppendNight(store_).ok());
  }
  const std::string first = Written("feed.xml");
  EXPECT_EQ(Wrong(first), "") << first;
  const std::vector<std::string> ids = IdsOf(first);
  EXPECT_GT(ids.size(), 10u);
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
  for (int night = 50; night < 60; ++night) {
    ASSERT_TRUE(store.AppendNight(store_).ok());
  }
  ASSERT_TRUE(store.AppendDecisions(store_).ok());
  const std::string second = Written("feed.xml");
  EXPECT_EQ(Wrong(second), "") << second;
  const std::vector<std::string> more = IdsOf(second);
  EXPECT_GT(more.size(), ids.size());
  for (const std::string& id : ids) {
    EXPECT_EQ(std::count(more.begin(), more.end(), id), 1) << id;
  }
  EXPECT_TRUE(absl::StrContains(second, "Culprit found: ")) << second;
  EXPECT_TRUE(absl::StrContains(second, "href=\"bisection.html#")) << second;
}

TEST_F(NewsTest, HostileNamesInTheFeed) {
  const std::vector<std::string> names = {"a]]></content><b>&\x01\xff",
                                          "b|`@x"};
  for (const char* start : {"2024-05-01T00:00:00Z", "2024-05-02T00:00:00Z"}) {
    auto writer = LogWriter::Create(store_);
    ASSERT_TRUE(writer.ok()) << writer.status();
    for (const std::string& name : names) {
      Record record{start, "job", name, SampleResult()};
      record.result.started_at = start;
      Row row = record.result.rows[4];  // compared side by side
      ASSERT_TRUE(row.comparison.paired.has_value());
      row.cell.model = name;
      row.verdict = stats::Verdict::kRegressed;
      row.build.artifact_digest = start;
      // The second night is slower.
      for (double& ns : row.timing.samples_ns) {
        ns *= start[9] == '2' ? 1.5 : 1;
      }
      row.comparison.paired->change = 0.5;
      row.comparison.paired->artifact_digest = "2024-05-01T00:00:00Z";
      record.result.rows = {row};
      ASSERT_TRUE((*writer)->Append(record).ok());
    }
  }
  const std::string feed = Written("feed.xml");
  EXPECT_EQ(Wrong(feed), "") << feed;
  EXPECT_TRUE(absl::StrContains(feed, "2 cells slower")) << feed;
  EXPECT_TRUE(absl::StrContains(feed, "a]]&gt;&lt;/content&gt;&lt;b&gt;&amp;"))
      << feed;
  const std::string summary = Written("summary.md");
  EXPECT_FALSE(absl::StrContains(summary, "<b>")) << summary;
  EXPECT_TRUE(absl::StrContains(summary, "b\\|'&#64;x")) << summary;
}

TEST_F(NewsTest, SummaryBeginsWithTheMarker) {
  EXPECT_EQ(Written("summary.md"),
            "<!-- assay-summary -->\n## Assay\n\nThere is no run yet.\n");
  FakeStoreOptions options;
  options.nights = 30;
  FakeStore store(options);
  for (int night = 0; night < 30; ++night) {
    ASSERT_TRUE(store.AppendNight(store_).ok());
  }
  const std::string summary = Written("summary.md");
  EXPECT_TRUE(absl::StartsWith(summary, "<!-- assay-summary -->\n")) << summary;
  EXPECT_TRUE(absl::StrContains(summary, " need attention.**")) << summary;
  EXPECT_TRUE(absl::StrContains(
      summary, "| wrong output |  | element 7 of output 'logits' is nan"))
      << summary;
}

}  // namespace
}  // namespace assay::reports
