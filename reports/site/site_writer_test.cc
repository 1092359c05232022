#include "reports/site/site_writer.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/site/data_script.h"
#include "reports/site/testing/fake_store.h"
#include "reports/site/testing/site_fixture.h"
#include "reports/store/acknowledgement_log.h"
#include "reports/store/record_log.h"

namespace assay::reports {
namespace {

using Files = std::map<std::string, std::string>;

FakeStoreOptions Options(int cells, int nights) {
  FakeStoreOptions options;
  options.cells = cells;
  options.nights = nights;
  return options;
}

class SiteWriterTest : public ::testing::Test {
 protected:
  SiteWriterTest()
      : dir_(*TempDir::CreateInMemory()),
        store_(JoinPath(dir_.path(), "store")),
        site_(JoinPath(dir_.path(), "site")) {
    EXPECT_TRUE(MakeDirs(store_).ok());
    blocks_.rows_at_once = 0;
  }

  SiteSummary Write(const std::string& site) {
    const auto summary = WriteFixtureSite(store_, site, blocks_);
    EXPECT_TRUE(summary.ok()) << summary.status();
    return summary.value_or(SiteSummary());
  }

  SiteJson Front(const std::string& site) {
    return DataOf(JoinPath(site, "data/front.js"));
  }

  std::string NameOf(const SiteJson& front, size_t id) {
    const auto text = [&](const char* column) {
      return front["strings"][front["cells"][column][id].get<size_t>()]
          .get<std::string>();
    };
    return absl::StrCat(text("suite"), "/", text("model"), "/", text("device"),
                        "/", text("variant"), "/",
                        front["cells"]["threads"][id].get<int>());
  }

  // Appends a run with these models, one cell each.
  void AppendRun(const std::string& started_at,
                 const std::vector<std::string>& models) {
    auto writer = LogWriter::Create(store_);
    ASSERT_TRUE(writer.ok()) << writer.status();
    for (const std::string& model : models) {
      Record record{started_at, "job", model, SampleResult()};
      record.result.started_at = started_at;
      record.result.rows.resize(1);
      record.result.rows[0].cell.model = model;
      ASSERT_TRUE((*writer)->Append(record).ok());
    }
  }

  TempDir dir_;
  std::string store_;
  std::string site_;
  SiteEventOptions blocks_;
};

// The files except for that of the state, whose keys may be in another order.
Files DataFiles(const std::string& site) {
  Files files = FilesOf(site);
  files.erase("data/state.json");
  return files;
}

void ExpectEqual(const Files& a, const Files& b) {
  for (const auto& [path, contents] : a) {
    const auto other = b.find(path);
    ASSERT_TRUE(other != b.end()) << path;
    EXPECT_TRUE(contents == other->second) << path;
  }
  EXPECT_EQ(a.size(), b.size());
}

TEST_F(SiteWriterTest, AddedNightsGiveTheSiteOfAllNights) {
  constexpr int kCells = 6;
  FakeStoreOptions options;
  options.cells = kCells;
  options.nights = 150;
  options.samples = 8;
  options.code_changes = 0.2;
  FakeStore store(options);
  for (int night = 0; night < 80; ++night) {
    ASSERT_TRUE(store.AppendNight(store_).ok());
  }
  Write(site_);
  int64_t cells_written = 0;
  for (int night = 80; night < 150; ++night) {
    ASSERT_TRUE(store.AppendNight(store_).ok());
    const Files before = FilesOf(JoinPath(site_, "data/cells"));
    Write(site_);
    const Files after = FilesOf(JoinPath(site_, "data/cells"));
    for (const auto& [path, contents] : after) {
      if (before.at(path) != contents) ++cells_written;
    }
  }
  ASSERT_TRUE(store.AppendDecisions(store_).ok());
  Write(site_);
  const std::string fresh = JoinPath(dir_.path(), "fresh");
  Write(fresh);
  ExpectEqual(DataFiles(site_), DataFiles(fresh));
  // A tail is moved to its cell every 32 nights.
  EXPECT_GE(cells_written, kCells * 2);
  EXPECT_LE(cells_written, kCells * 3);
  // If nothing is new, only the front page is written, which has the time.
  EXPECT_EQ(Write(site_).files_written, 1);
}

TEST_F(SiteWriterTest, CellAndTailHaveAllNightsAndEvents) {
  FakeStoreOptions options;
  options.cells = 8;
  options.nights = 100;
  options.code_changes = 0.3;
  FakeStore store(options);
  for (int night = 0; night < 100; ++night) {
    ASSERT_TRUE(store.AppendNight(store_).ok());
  }
  Write(site_);
  const SiteJson tail = DataOf(JoinPath(site_, "data/tails/0.js"));
  ASSERT_EQ(tail["cells"].size(), 8u);
  int64_t events = 0;
  for (const SiteJson& newest : tail["cells"]) {
    const auto id = newest["id"].get<int>();
    const SiteJson older =
        DataOf(JoinPath(site_, absl::StrCat("data/cells/", id, ".js")));
    std::vector<int> runs = older["nights"]["run"].get<std::vector<int>>();
    EXPECT_EQ(newest["older"], runs.size());
    EXPECT_GT(runs.size(), 36u);
    for (const SiteJson& run : newest["nights"]["run"]) {
      EXPECT_GE(run.get<int>(), newest["from"].get<int>());
      runs.push_back(run.get<int>());
    }
    std::vector<int> all(100);
    for (int i = 0; i < 100; ++i) all[static_cast<size_t>(i)] = i;
    EXPECT_EQ(runs, all);
    EXPECT_EQ(newest["nights"]["median"].size(),
              newest["nights"]["run"].size());
    EXPECT_FALSE(newest["facts"].empty());
    EXPECT_FALSE(newest["levels"].empty());
    for (const SiteJson& event : older["events"]) {
      EXPECT_LT(event["night"].get<int>(), newest["from"].get<int>());
      ++events;
    }
    for (const SiteJson& event : newest["events"]) {
      EXPECT_GE(event["night"].get<int>(), newest["from"].get<int>());
      ++events;
    }
  }
  EXPECT_GT(events, 8 * 15);
}

TEST_F(SiteWriterTest, SameStoreGivesSameBytes) {
  FakeStore store(Options(20, 40));
  for (int night = 0; night < 40; ++night) {
    ASSERT_TRUE(store.AppendNight(store_).ok());
  }
  ASSERT_TRUE(store.AppendDecisions(store_).ok());
  Write(site_);
  const std::string other = JoinPath(dir_.path(), "other");
  ASSERT_EQ(unlink(JoinPath(store_, "summaries.sqlite").c_str()), 0);
  Write(other);
  ExpectEqual(FilesOf(site_), FilesOf(other));
  EXPECT_FALSE(Front(site_)["bisections"].empty());
}

TEST_F(SiteWriterTest, CellsKeepTheirIds) {
  AppendRun("2024-05-01T00:00:00Z", {"m", "d"});
  Write(site_);
  const SiteJson first = Front(site_);
  ASSERT_EQ(first["cells"]["model"].size(), 2u);
  const std::string second_segment = "2024-05-02T00:00:00Z";
  AppendRun(second_segment, {"m", "d", "a", "z"});
  Write(site_);
  const SiteJson second = Front(site_);
  ASSERT_EQ(second["cells"]["model"].size(), 4u);
  for (const size_t id : {0u, 1u}) {
    EXPECT_EQ(NameOf(first, id), NameOf(second, id));
  }
  // Both runs with `d` are gone.
  for (const auto& [path, contents] : FilesOf(store_)) {
    if (absl::EndsWith(path, ".jsonl")) unlink(JoinPath(store_, path).c_str());
  }
  AppendRun("2024-05-03T00:00:00Z", {"z", "m", "a", "new"});
  Write(site_);
  const SiteJson third = Front(site_);
  ASSERT_EQ(third["cells"]["model"].size(), 5u);
  for (const size_t id : {1u, 2u, 3u}) {
    EXPECT_EQ(NameOf(second, id), NameOf(third, id)) << id;
  }
  EXPECT_TRUE(third["cells"]["median_ms"][0].is_null());
  const auto status = third["cells"]["status"][0].get<size_t>();
  EXPECT_EQ(third["statuses"][status]["name"], "not_run");
}

TEST_F(SiteWriterTest, DamagedStateIsRebuiltWithOneWarning) {
  AppendRun("2024-05-01T00:00:00Z", {"m", "d"});
  EXPECT_EQ(Write(site_).warning, "");
  const Files before = FilesOf(site_);
  const std::string state = JoinPath(site_, "data/state.json");
  for (const char* text :
       {"", "{", "[]", "{\"version\":1,\"cells\":[1],\"files\":{}}"}) {
    ASSERT_TRUE(WriteFileAtomic(state, text).ok());
    const std::string warning = Write(site_).warning;
    EXPECT_TRUE(absl::StrContains(warning, "data/state.json` is damaged"))
        << warning;
    ExpectEqual(before, FilesOf(site_));
    EXPECT_EQ(Write(site_).warning, "");
  }
}

TEST_F(SiteWriterTest, MissingFilesAreWrittenAgain) {
  FakeStore store(Options(8, 40));
  for (int night = 0; night < 40; ++night) {
    ASSERT_TRUE(store.AppendNight(store_).ok());
  }
  Write(site_);
  const Files before = FilesOf(site_);
  for (const char* path : {"data/cells/3.js", "data/runs/7.js", "feed.xml",
                           "index.html", "data/nights.js", "data/front.js"}) {
    ASSERT_EQ(unlink(JoinPath(site_, path).c_str()), 0) << path;
  }
  Write(site_);
  ExpectEqual(before, FilesOf(site_));
}

// The joined data of a cell, as the page has them.
std::vector<double> JoinedMedians(const std::string& site, int id) {
  const SiteJson tail = DataOf(JoinPath(site, "data/tails/0.js"));
  const SiteJson cell =
      DataOf(JoinPath(site, absl::StrCat("data/cells/", id, ".js")));
  std::vector<double> medians;
  int last = -1;
  for (const SiteJson* part :
       {&cell, &tail["cells"][static_cast<size_t>(id)]}) {
    const SiteJson& nights = (*part)["nights"];
    for (size_t i = 0; i < nights["run"].size(); ++i) {
      const int run = nights["run"][i].get<int>();
      if (run <= last) continue;
      EXPECT_EQ(run, last + 1);
      last = run;
      medians.push_back(nights["median"][i].get<double>());
    }
  }
  return medians;
}

TEST_F(SiteWriterTest, KilledWriterLeavesAWorkingSite) {
  FakeStoreOptions options;
  options.cells = 40;
  options.nights = 200;
  FakeStore store(options);
  for (int night = 0; night < 70; ++night) {
    ASSERT_TRUE(store.AppendNight(store_).ok());
  }
  Write(site_);
  size_t nights = 70;
  for (int i = 0; i < 12; ++i) {
    for (int more = 0; more < 3; ++more, ++nights) {
      ASSERT_TRUE(store.AppendNight(store_).ok());
    }
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      WriteFixtureSite(store_, site_, blocks_).IgnoreError();
      _exit(0);
    }
    usleep(static_cast<useconds_t>(8000 * i));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    const SiteJson front = Front(site_);
    ASSERT_TRUE(front.is_object());
    EXPECT_LE(front["nights"].get<size_t>(), nights);
    for (const int id : {0, 1, 5, 31, 39}) {
      // The page has the nights of the front page, or already newer ones.
      const size_t joined = JoinedMedians(site_, id).size();
      EXPECT_LE(joined, nights);
      EXPECT_GE(joined + 1, front["nights"].get<size_t>());
    }
  }
  Write(site_);
  const std::string fresh = JoinPath(dir_.path(), "fresh");
  Write(fresh);
  ExpectEqual(DataFiles(fresh), DataFiles(site_));
}

TEST_F(SiteWriterTest, SilencedCellsNeedNoAttentionUntilTheLevelMoves) {
  FakeStoreOptions options;
  options.cells = 16;
  options.nights = 40;
  options.code_changes = 0;
  FakeStore store(options);
  for (int night = 0; night < 40; ++night) {
    ASSERT_TRUE(store.AppendNight(store_).ok());
  }
  Write(site_);
  const SiteJson before = Front(site_);
  ASSERT_FALSE(before["attention"].empty());
  // Acknowledge the level of one cell that became slower.
  const auto slower =
      std::find_if(before["attention"].begin(), before["attention"].end(),
                   [&](const SiteJson& id) {
                     const auto i = id.get<size_t>();
                     return before["cells"]["published"][i] > 0 &&
                            !before["cells"]["median_ms"][i].is_null();
                   });
  ASSERT_TRUE(slower != before["attention"].end());
  const auto id = slower->get<size_t>();
  const SiteJson tail = DataOf(JoinPath(site_, "data/tails/0.js"));
  const SiteJson& cell = tail["cells"][id];
  std::string fingerprint;
  for (const SiteJson& fact : cell["facts"]) {
    if (fact[0] == "fingerprint") fingerprint = fact[1].get<std::string>();
  }
  Acknowledgement known;
  known.cell = cell["name"].get<std::string>();
  known.author = "ada";
  known.reason = "known";
  known.made_at = "2024-06-01T00:00:00Z";
  known.levels = {{known.cell, fingerprint,
                   before["cells"]["median_ms"][id].get<double>()}};
  ASSERT_TRUE(AppendAcknowledgement(store_, known).ok());
  Write(site_);
  SiteJson after = Front(site_);
  EXPECT_EQ(after["cells"]["acknowledged"][id], 0);
  EXPECT_EQ(after["attention"].size() + 1, before["attention"].size());
  for (const SiteJson& other : after["attention"]) EXPECT_NE(other, id);
  EXPECT_EQ(
      DataOf(JoinPath(
          site_,
          "data/tails/0.js"))["cells"][id]["acknowledgements"][0]["silent"],
      true);
  // Another level was acknowledged: that of now has moved from there.
  known.made_at = "2024-06-02T00:00:00Z";
  known.levels[0].median_ms *= 0.9;
  ASSERT_TRUE(AppendAcknowledgement(store_, known).ok());
  Write(site_);
  after = Front(site_);
  EXPECT_EQ(after["cells"]["acknowledged"][id], -1);
  EXPECT_EQ(after["attention"], before["attention"]);
}

TEST_F(SiteWriterTest, WrongOutputsAndFailuresComeFirst) {
  FakeStore store(Options(24, 20));
  for (int night = 0; night < 20; ++night) {
    ASSERT_TRUE(store.AppendNight(store_).ok());
  }
  Write(site_);
  const SiteJson front = Front(site_);
  std::vector<std::string> names;
  for (const SiteJson& id : front["attention"]) {
    const auto status =
        front["cells"]["status"][id.get<size_t>()].get<size_t>();
    names.push_back(front["statuses"][status]["name"].get<std::string>());
  }
  ASSERT_GE(names.size(), 3u);
  EXPECT_EQ(names[0], "wrong_output");
  EXPECT_EQ(names[1], "infrastructure");
  EXPECT_EQ(names[2], "regressed");
}

TEST_F(SiteWriterTest, HostileNames) {
  AppendRun("2024-05-01T00:00:00Z",
            {"</script><b>", "../../etc/passwd", "\xff", ""});
  AppendRun("no time", {"</script><b>"});
  Write(site_);
  for (const auto& [path, contents] : FilesOf(site_)) {
    EXPECT_FALSE(absl::StrContains(path, "..")) << path;
    // Pages do not read the state.
    if (path == "index.html" || path == "data/state.json") continue;
    EXPECT_FALSE(absl::StrContains(contents, "</script")) << path;
    if (absl::EndsWith(path, ".js")) {
      EXPECT_TRUE(DataOf(JoinPath(site_, path)).is_object()) << path;
    }
  }
}

TEST_F(SiteWriterTest, EmptyStore) {
  const SiteSummary summary = Write(site_);
  EXPECT_EQ(summary.cells, 0u);
  EXPECT_TRUE(Front(site_)["newest"].is_null());
}

TEST_F(SiteWriterTest, FolderThatCannotBeMade) {
  ASSERT_TRUE(WriteFileAtomic(site_, "a file").ok());
  EXPECT_TRUE(
      absl::IsUnavailable(WriteFixtureSite(store_, site_, blocks_).status()));
}

}  // namespace
}  // namespace assay::reports
