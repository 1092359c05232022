#include "reports/store/summary/summary_cache.h"

#include <unistd.h>

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/record_log.h"
#include "reports/store/summary/store_summary.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

class SummaryCacheTest : public ::testing::Test {
 protected:
  SummaryCacheTest()
      : dir_(*TempDir::Create()), folder_(JoinPath(dir_.path(), "store")) {}

  static Record RecordOf(const std::string& run, const std::string& model,
                         double ns) {
    Record record{run, "job", model, SampleResult()};
    record.result.started_at = absl::StrCat("2024-05-0", run, "T00:00:00Z");
    record.result.rows.resize(1);
    record.result.rows[0].cell.model = model;
    record.result.rows[0].timing.samples_ns.assign(9, ns);
    return record;
  }

  void Append(const std::string& run, const std::string& model, double ns) {
    auto writer = LogWriter::Create(folder_);
    ASSERT_TRUE(writer.ok()) << writer.status();
    ASSERT_TRUE((*writer)->Append(RecordOf(run, model, ns)).ok());
    last_segment_ = (*writer)->segment();
  }

  // `model: run=median run=median; ...`
  std::string Contents() {
    const auto store = StoreSummary::Read(folder_);
    EXPECT_TRUE(store.ok()) << store.status();
    if (!store.ok()) return "";
    corrupt_ = store->corrupt_records().size();
    return TextOf(*store);
  }

  static std::string TextOf(const StoreSummary& store) {
    std::string text;
    for (const SummarizedCell& cell : store.cells()) {
      absl::StrAppend(&text, cell.key.model, ":");
      for (const RowSummary* row : cell.rows) {
        absl::StrAppend(&text, " ", store.runs()[row->run].name, "=",
                        row->median);
        const auto record = store.ReadRecord(*row);
        EXPECT_TRUE(record.ok()) << record.status();
        EXPECT_EQ(record->cell, cell.key.model);
      }
      text += "; ";
    }
    return text;
  }

  TempDir dir_;
  std::string folder_;
  std::string last_segment_;
  size_t corrupt_ = 0;
};

TEST_F(SummaryCacheTest, FollowsTheStore) {
  Append("2", "a", 2e6);
  EXPECT_EQ(Contents(), "a: 2=2; ");
  Append("1", "a", 1e6);
  Append("2", "b", 3e6);
  EXPECT_EQ(Contents(), "a: 1=1 2=2; b: 2=3; ");
  // A row that was measured again replaces the first one.
  Append("2", "a", 4e6);
  EXPECT_EQ(Contents(), "a: 1=1 2=4; b: 2=3; ");
  unlink(JoinPath(folder_, last_segment_).c_str());
  EXPECT_EQ(Contents(), "a: 1=1 2=2; b: 2=3; ");
}

TEST_F(SummaryCacheTest, RebuildsWhatIsDamagedOrOld) {
  Append("1", "a", 1e6);
  EXPECT_EQ(Contents(), "a: 1=1; ");
  const std::string file = JoinPath(folder_, "summaries.sqlite");
  ASSERT_TRUE(FileExists(file));
  std::ofstream(file) << "no database";
  EXPECT_EQ(Contents(), "a: 1=1; ");
  {
    auto database = runtime::Database::Open(file);
    ASSERT_TRUE(database.ok()) << database.status();
    ASSERT_TRUE(database->Execute("PRAGMA user_version = 999").ok());
  }
  EXPECT_EQ(Contents(), "a: 1=1; ");
}

TEST_F(SummaryCacheTest, RebuildsDamagedSummaries) {
  Append("1", "a", 1e6);
  Append("2", "a", 2e6);
  for (const char* damage : {
           "UPDATE runs SET rows = substr(rows, 1, 63)",
           "UPDATE runs SET comparisons = x'00'",
           "UPDATE runs SET header = '{'",
           // The row has another cell than any text.
           "UPDATE runs SET rows = CAST(substr(rows, 1, 16) || x'ffffffff' || "
           "substr(rows, 21) AS BLOB)",
           "DELETE FROM texts",
       }) {
    EXPECT_EQ(Contents(), "a: 1=1 2=2; ");
    auto database =
        runtime::Database::Open(JoinPath(folder_, "summaries.sqlite"));
    ASSERT_TRUE(database.ok()) << database.status();
    const absl::Status changed = database->Execute(damage);
    ASSERT_TRUE(changed.ok()) << changed;
    EXPECT_EQ(Contents(), "a: 1=1 2=2; ") << damage;
  }
}

TEST_F(SummaryCacheTest, KeepsWhatBelongsToTheLastRowOfACell) {
  Record first = RecordOf("1", "a", 1e6);
  Record other = RecordOf("1", "b", 2e6);
  Record second = RecordOf("1", "a", 3e6);
  const auto compare = [](double change, Record& record) {
    record.result.rows[0].comparison.paired.emplace();
    record.result.rows[0].comparison.paired->change = change;
  };
  compare(0.25, first);
  compare(0.5, other);
  compare(0.75, second);
  // First in one segment, then also in a second one.
  for (int segment = 0; segment < 2; ++segment) {
    {
      auto writer = LogWriter::Create(folder_);
      ASSERT_TRUE(writer.ok()) << writer.status();
      for (const Record* record : {&first, &other, &second}) {
        ASSERT_TRUE((*writer)->Append(*record).ok());
      }
    }
    EXPECT_EQ(Contents(), "a: 1=3; b: 1=2; ");
    const auto store = StoreSummary::Read(folder_);
    ASSERT_TRUE(store.ok()) << store.status();
    ASSERT_EQ(store->runs()[0].rows.size(), 2u);
    const std::vector<SummarizedCell>& cells = store->cells();
    ASSERT_EQ(cells[0].comparisons.size(), 1u);
    EXPECT_EQ(cells[0].comparisons[0].change, 0.75f);
    ASSERT_EQ(cells[1].comparisons.size(), 1u);
    EXPECT_EQ(cells[1].comparisons[0].change, 0.5f);
    for (size_t cell = 0; cell < cells.size(); ++cell) {
      EXPECT_EQ(cells[cell].rows[0]->cell, cell);
    }
  }
}

// Other processes that write keep threads from reading, but not the store from
// being read.
TEST_F(SummaryCacheTest, ReadsBesideAnotherReader) {
  Append("1", "a", 1e6);
  EXPECT_EQ(Contents(), "a: 1=1; ");
  auto other = runtime::Database::Open(JoinPath(folder_, "summaries.sqlite"));
  ASSERT_TRUE(other.ok()) << other.status();
  ASSERT_TRUE(other->Execute("BEGIN; SELECT * FROM runs").ok());
  EXPECT_EQ(Contents(), "a: 1=1; ");
}

TEST_F(SummaryCacheTest, InvalidLinesAreReported) {
  Append("1", "a", 1e6);
  Append("2", "a", 2e6);
  std::ofstream(JoinPath(folder_, last_segment_), std::ios::app)
      << "{\"id\":\"00\"}\nnot a record\n";
  EXPECT_EQ(Contents(), "a: 1=1 2=2; ");
  EXPECT_EQ(corrupt_, 2u);
}

TEST_F(SummaryCacheTest, KeepsResultsByKey) {
  Append("1", "a", 1e6);
  const auto store = StoreSummary::Read(folder_);
  ASSERT_TRUE(store.ok()) << store.status();
  EXPECT_FALSE(store->Get("x", "1").has_value());
  const std::string bytes("a\0b", 3);
  ASSERT_TRUE(store->Put("x", "1", bytes).ok());
  EXPECT_EQ(StoreSummary::Read(folder_)->Get("x", "1"), bytes);
  EXPECT_FALSE(store->Get("x", "2").has_value());
  EXPECT_FALSE(store->Get("y", "1").has_value());
}

TEST_F(SummaryCacheTest, RecordsFromElsewhereGiveTheSame) {
  Append("2", "a", 2e6);
  Append("1", "a", 1e6);
  Append("2", "b", 3e6);
  const auto of =
      StoreSummary::Of({RecordOf("2", "a", 2e6), RecordOf("1", "a", 1e6),
                        RecordOf("2", "b", 3e6)});
  ASSERT_TRUE(of.ok()) << of.status();
  EXPECT_EQ(TextOf(*of), Contents());
}

TEST_F(SummaryCacheTest, MissingFolder) {
  EXPECT_TRUE(absl::IsNotFound(StoreSummary::Read(folder_).status()));
  EXPECT_FALSE(FileExists(folder_));
}

}  // namespace
}  // namespace assay::reports
