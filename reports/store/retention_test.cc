#include "reports/store/retention.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/baseline/baseline.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/record_log.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RetentionTest : public ::testing::Test {
 protected:
  RetentionTest() : dir_(*TempDir::Create()) {
    std::string error;
    EXPECT_TRUE(absl::ParseTime(absl::RFC3339_full, "2024-06-10T00:00:00Z",
                                &now_, &error));
    retention_.keep_days = 30;
    retention_.keep_per_cell = 2;
  }

  // A run of one row that started on the given day after April 30, 2024.
  static Record RecordOf(int day, const std::string& model) {
    Record record{absl::StrCat("run", day), "job", model, SampleResult()};
    record.result.started_at = absl::StrCat(
        day > 31 ? "2024-06-" : "2024-05-",
        absl::Dec(day > 31 ? day - 31 : day, absl::kZeroPad2), "T12:00:00Z");
    record.result.rows.resize(1);
    record.result.rows[0].cell.model = model;
    record.result.rows[0].build.artifact_digest = absl::StrCat(model, day);
    return record;
  }

  std::unique_ptr<LogWriter> Append(const std::vector<Record>& records) {
    auto writer = LogWriter::Create(dir_.path());
    EXPECT_TRUE(writer.ok()) << writer.status();
    for (const Record& record : records) {
      EXPECT_TRUE((*writer)->Append(record).ok());
    }
    return *std::move(writer);
  }

  Pruned PruneNow(bool dry_run = false) {
    const auto pruned = Prune(dir_.path(), retention_, now_, dry_run);
    EXPECT_TRUE(pruned.ok()) << pruned.status();
    return *pruned;
  }

  std::vector<std::string> Left() {
    std::vector<std::string> left;
    const auto log = ReadLog(dir_.path());
    EXPECT_TRUE(log.ok()) << log.status();
    for (const Entry& entry : log->entries) {
      left.push_back(entry.record.run + entry.record.cell);
    }
    return left;
  }

  TempDir dir_;
  absl::Time now_;
  Retention retention_;
};

TEST_F(RetentionTest, DropsOldRecordsWithNewerOnes) {
  Append({RecordOf(1, "a"), RecordOf(2, "a"), RecordOf(3, "a"),
          RecordOf(1, "b"), RecordOf(40, "a"), RecordOf(2, "b")});
  const Pruned pruned = PruneNow();
  EXPECT_EQ(pruned.records, 6);
  EXPECT_EQ(pruned.dropped, 2);
  EXPECT_EQ(pruned.young, 1);
  EXPECT_EQ(pruned.newest, 3);
  EXPECT_THAT(Left(), ElementsAre("run3a", "run1b", "run40a", "run2b"));
  EXPECT_EQ(PruneNow().dropped, 0);
}

TEST_F(RetentionTest, KeepsArtifactsOfBaselines) {
  Append(
      {RecordOf(1, "a"), RecordOf(2, "a"), RecordOf(3, "a"), RecordOf(4, "a")});
  retention_.blessed = {"a1"};
  const Pruned pruned = PruneNow();
  EXPECT_EQ(pruned.blessed, 1);
  EXPECT_THAT(Left(), ElementsAre("run1a", "run3a", "run4a"));
}

TEST_F(RetentionTest, DryRunChangesNothing) {
  Append({RecordOf(1, "a"), RecordOf(2, "a"), RecordOf(3, "a")});
  EXPECT_EQ(PruneNow(/*dry_run=*/true).dropped, 1);
  EXPECT_EQ(Left().size(), 3u);
}

TEST_F(RetentionTest, CountsCellsPerMachine) {
  Record elsewhere = RecordOf(1, "a");
  elsewhere.result.rows[0].fingerprint = "another";
  Append({elsewhere, RecordOf(2, "a"), RecordOf(3, "a")});
  EXPECT_EQ(PruneNow().dropped, 0);
}

TEST_F(RetentionTest, DropsFinalRecordWithLastRow) {
  std::vector<Record> records;
  for (int day = 1; day <= 3; ++day) {
    records.push_back(RecordOf(day, "a"));
    records.push_back(RecordOf(day, "a"));
    records.back().cell = "";
    records.back().result.rows.clear();
  }
  Append(records);
  EXPECT_EQ(PruneNow().dropped, 2);
  EXPECT_THAT(Left(), ElementsAre("run2a", "run2", "run3a", "run3"));
}

TEST_F(RetentionTest, SkipsSegmentsInUse) {
  const auto writer =
      Append({RecordOf(1, "a"), RecordOf(2, "a"), RecordOf(3, "a")});
  const Pruned pruned = PruneNow();
  EXPECT_EQ(pruned.dropped, 0);
  EXPECT_EQ(pruned.in_use, 1);
  EXPECT_TRUE(writer->Append(RecordOf(4, "a")).ok());
  EXPECT_EQ(Left().size(), 4u);
}

TEST_F(RetentionTest, RemovesEmptySegmentsAndKeepsInvalidLines) {
  Append({RecordOf(1, "a")});
  Append({RecordOf(2, "a"), RecordOf(3, "a")});
  const std::string garbage = JoinPath(dir_.path(), "x.jsonl");
  const std::string old = FormatRecord(RecordOf(1, "b"));
  ASSERT_TRUE(WriteFileAtomic(garbage, "hm\n" + old + old.substr(0, 99)).ok());
  retention_.keep_per_cell = 1;
  retention_.blessed = {};
  Append({RecordOf(2, "b")});
  EXPECT_EQ(PruneNow().dropped, 3);
  EXPECT_THAT(Left(), ElementsAre("run3a", "run2b"));
  EXPECT_EQ(*ReadFile(garbage), "hm\n" + old.substr(0, 99));
  EXPECT_EQ(ListSegments(dir_.path())->size(), 3u);
}

TEST_F(RetentionTest, KeepsRecordsWithMalformedStartTime) {
  Record odd = RecordOf(1, "a");
  odd.result.started_at = "long ago";
  retention_.keep_per_cell = 1;
  Append({odd, RecordOf(2, "a"), RecordOf(3, "a")});
  EXPECT_EQ(PruneNow().young, 1);
}

TEST_F(RetentionTest, ReadsBlessedArtifactsFromBaselines) {
  const std::string folder = JoinPath(dir_.path(), "baselines");
  EXPECT_THAT(*BlessedArtifacts(folder), IsEmpty());
  BaselineRow row;
  row.key = {"net", "host", {true}, 2};
  row.timing.count = 5;
  row.timing.mean = row.timing.median = row.timing.p99 = 1;
  row.model_digest = "m";
  row.artifact_digest = "abc";
  row.state = "s";
  ASSERT_TRUE(
      UpdateBaseline(BaselinePath(folder, "resnet18", "machine"), {row}).ok());
  const auto blessed = BlessedArtifacts(folder);
  ASSERT_TRUE(blessed.ok()) << blessed.status();
  EXPECT_THAT(*blessed, ElementsAre("abc"));
  ASSERT_TRUE(WriteFileAtomic(JoinPath(folder, "x.csv"), "no baseline").ok());
  EXPECT_FALSE(BlessedArtifacts(folder).ok());
}

}  // namespace
}  // namespace assay::reports
