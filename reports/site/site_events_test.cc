#include "reports/site/site_events.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "reports/history/events.h"
#include "reports/site/testing/fake_store.h"
#include "reports/store/cell_name.h"
#include "reports/store/history.h"
#include "runtime/base/file.h"
#include "runtime/sqlite/sqlite.h"

namespace assay::reports {
namespace {

// Cell, run, metric, and everything that people read.
std::string TextOf(const std::string& cell, size_t run, Metric metric,
                   const Causes& causes, bool published, bool shift,
                   absl::string_view what, absl::string_view reason) {
  return absl::StrCat(cell, " ", run, " ", static_cast<int>(metric), " ",
                      CausesText(causes), published, shift, " ", what, " ",
                      reason);
}

std::vector<std::string> TextsOf(const StoreSummary& store,
                                 const SiteEvents& events, bool shifts) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < events.of_cell.size(); ++i) {
    for (const SiteEvent& e : events.of_cell[i]) {
      if (e.shift && !shifts) continue;
      texts.push_back(TextOf(store.cells()[i].name, e.run, e.metric, e.causes,
                             e.published, e.shift, e.what, e.reason));
    }
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::vector<std::string> TextsOf(const AnalyzedHistory& history) {
  std::vector<std::string> texts;
  for (const Event& e : history.events) {
    const Series& series = history.series[e.series];
    if (series.metric == Metric::kKernel) continue;
    if (series.metric != Metric::kLatency && !e.shift.has_value()) continue;
    texts.push_back(TextOf(CellNameOf(*series.row), series.points[e.point].run,
                           series.metric, e.causes, e.published,
                           e.shift.has_value(), e.what, e.reason));
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

class SiteEventsTest : public ::testing::Test {
 protected:
  SiteEventsTest() : dir_(*TempDir::CreateInMemory()) {
    FakeStoreOptions options;
    // Machines with at least 8 cells, so that their movements are known.
    options.cells = 40;
    options.nights = 110;
    options.samples = 8;
    options.code_changes = 0.1;
    store_ = std::make_unique<FakeStore>(options);
    blocks_.rows_at_once = 0;
  }

  void Append(int nights) {
    for (int i = 0; i < nights; ++i) {
      ASSERT_TRUE(store_->AppendNight(dir_.path()).ok());
    }
  }

  StoreSummary Read() {
    auto store = StoreSummary::Read(dir_.path());
    EXPECT_TRUE(store.ok()) << store.status();
    return *std::move(store);
  }

  static SiteEvents Find(const StoreSummary& store,
                         const SiteEventOptions& options) {
    auto events = FindSiteEvents(store, options);
    EXPECT_TRUE(events.ok()) << events.status();
    return *std::move(events);
  }

  TempDir dir_;
  std::unique_ptr<FakeStore> store_;
  SiteEventOptions blocks_;
};

TEST_F(SiteEventsTest, SmallStoreGivesTheEventsOfItsHistory) {
  Append(110);
  const auto history = ReadHistory(dir_.path());
  ASSERT_TRUE(history.ok()) << history.status();
  const std::vector<std::string> all = TextsOf(AnalyzeHistory(history->runs));
  EXPECT_GT(all.size(), 300u);
  const StoreSummary store = Read();
  EXPECT_EQ(TextsOf(store, Find(store, {}), /*shifts=*/true), all);
  // In blocks, the steps are the same. Levels of a machine are estimated from
  // fewer nights, so the numbers in the texts of shifts may differ.
  const SiteEvents in_blocks = Find(store, blocks_);
  EXPECT_EQ(TextsOf(store, in_blocks, /*shifts=*/false),
            TextsOf(store, Find(store, {}), /*shifts=*/false));
  // The lasting shift of a time of loading is found, too, and once.
  const auto shifts = [](const SiteEvents& events) {
    int64_t count = 0;
    for (const std::vector<SiteEvent>& of_cell : events.of_cell) {
      for (const SiteEvent& e : of_cell) count += e.shift ? 1 : 0;
    }
    return count;
  };
  EXPECT_GE(shifts(in_blocks), 1);
  EXPECT_EQ(shifts(in_blocks), shifts(Find(store, {})));
}

TEST_F(SiteEventsTest, CompleteBlocksAreKept) {
  Append(100);
  const StoreSummary store = Read();
  const std::vector<std::string> first =
      TextsOf(store, Find(store, blocks_), true);
  // A damaged result is not used.
  const StoreSummary again = Read();
  EXPECT_EQ(TextsOf(again, Find(again, blocks_), true), first);
  auto database =
      runtime::Database::Open(JoinPath(dir_.path(), "summaries.sqlite"));
  ASSERT_TRUE(database.ok()) << database.status();
  {
    auto kept = database->Prepare("SELECT count(*) FROM derived");
    ASSERT_TRUE(kept.ok() && kept->Step().ok());
    EXPECT_GE(kept->Number(0), 3);
  }
  ASSERT_TRUE(database->Execute("UPDATE derived SET data = 'x'").ok());
  const StoreSummary damaged = Read();
  EXPECT_EQ(TextsOf(damaged, Find(damaged, blocks_), true), first);
}

TEST_F(SiteEventsTest, AddedNightsDoNotChangeOlderEvents) {
  Append(80);
  // Shifts of the block that is not complete may move.
  const StoreSummary store = Read();
  const std::vector<std::string> before =
      TextsOf(store, Find(store, blocks_), false);
  Append(30);
  const StoreSummary more = Read();
  const std::vector<std::string> after =
      TextsOf(more, Find(more, blocks_), false);
  EXPECT_TRUE(
      std::includes(after.begin(), after.end(), before.begin(), before.end()));
  EXPECT_GT(after.size(), before.size());
}

TEST_F(SiteEventsTest, MachinesHaveLevelsAndNoise) {
  Append(60);
  const StoreSummary store = Read();
  const SiteEvents whole = Find(store, {});
  const SiteEvents blocks = Find(store, blocks_);
  const std::string host = "x86_64-amd-epyc-9b14-2c-1a2b3c4d";
  ASSERT_EQ(whole.machines.count(host), 1u);
  const auto& nights = whole.machines.at(host);
  const auto& others = blocks.machines.at(host);
  ASSERT_EQ(nights.size(), 60u);
  ASSERT_EQ(others.size(), 60u);
  for (size_t i = 1; i < nights.size(); ++i) {
    EXPECT_NEAR(nights[i].level, others[i].level, 0.01) << i;
    if (nights[i].noise == nights[i].noise) {
      EXPECT_GT(nights[i].noise, 0.001f);
      EXPECT_LT(nights[i].noise, 0.02f);
    }
  }
  // In night 17, other programs came to the machine, until night 23.
  EXPECT_NEAR(nights[17].movement, 0.045f, 0.015f);
  EXPECT_NEAR(nights[23].movement, -0.045f, 0.015f);
}

TEST(DayOfTest, CountsDays) {
  EXPECT_EQ(DayOf("1970-01-02T23:00:00Z", -1), 1);
  EXPECT_EQ(DayOf("night 7", 5), 5);
}

}  // namespace
}  // namespace assay::reports
