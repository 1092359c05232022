#include "reports/store/history.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

// Appends the rows of `result` as a run and, if `ended`, its final record.
void Append(const std::string& folder, const std::string& run,
            const RunResult& result, bool ended) {
  auto writer = LogWriter::Create(folder);
  ASSERT_TRUE(writer.ok()) << writer.status();
  Record record{run, "job", "", result};
  record.result.rows.clear();
  for (size_t i = 0; i < result.rows.size(); ++i) {
    Record one = record;
    one.cell = std::to_string(i);
    one.result.rows = {result.rows[i]};
    ASSERT_TRUE((*writer)->Append(one).ok());
  }
  if (ended) ASSERT_TRUE((*writer)->Append(record).ok());
}

TEST(HistoryTest, GroupsRowsIntoRunsByStartTime) {
  const auto dir = TempDir::Create();
  RunResult late = SampleResult();
  late.started_at = "2024-06-01T12:00:00Z";
  Append(dir->path(), "a", late, true);
  Append(dir->path(), "b", SampleResult(), false);
  RunResult none = SampleResult();
  none.rows.clear();
  none.started_at = "2024-07-01T12:00:00Z";
  Append(dir->path(), "c", none, true);
  const auto history = ReadHistory(dir->path());
  ASSERT_TRUE(history.ok()) << history.status();
  ASSERT_EQ(history->runs.size(), 3u);
  EXPECT_TRUE(history->runs[0] == SampleResult());
  EXPECT_TRUE(history->runs[1] == late);
  EXPECT_TRUE(history->runs[2] == none);
}

TEST(HistoryTest, MergesResumedRun) {
  const auto dir = TempDir::Create();
  RunResult first = SampleResult();
  first.rows.resize(2);
  RunResult second = SampleResult();
  second.rows.erase(second.rows.begin(), second.rows.begin() + 2);
  second.environment.state["load"] = "0.5";
  Append(dir->path(), "a", first, false);
  Append(dir->path(), "a", second, true);
  const auto history = ReadHistory(dir->path());
  ASSERT_TRUE(history.ok()) << history.status();
  ASSERT_EQ(history->runs.size(), 1u);
  EXPECT_EQ(history->runs[0].rows.size(), SampleResult().rows.size());
}

TEST(HistoryTest, RowsHaveTheOrderOfTheirPlaces) {
  const auto dir = TempDir::Create();
  auto writer = LogWriter::Create(dir->path());
  ASSERT_TRUE(writer.ok()) << writer.status();
  RunResult result = SampleResult();
  const Row row = result.rows[0];
  int count = 0;
  for (const int place : {2, 0, 2, 1}) {
    Record record{"run", "job", "cell", result, place};
    record.result.rows = {row};
    record.result.rows[0].cell.threads = 10 * place + ++count;
    if (count == 1) record.result.environment.state["load"] = "first";
    ASSERT_TRUE((*writer)->Append(record).ok());
  }
  const auto history = ReadHistory(dir->path());
  ASSERT_TRUE(history.ok()) << history.status();
  ASSERT_EQ(history->runs.size(), 1u);
  std::vector<int> threads;
  for (const Row& read : history->runs[0].rows) {
    threads.push_back(read.cell.threads);
  }
  EXPECT_EQ(threads, (std::vector<int>{2, 14, 21, 23}));
  // The environment is that of the record that was written first.
  EXPECT_EQ(history->runs[0].environment.state.at("load"), "first");
}

TEST(HistoryTest, ReportsCorruptRecords) {
  const auto dir = TempDir::Create();
  Append(dir->path(), "a", SampleResult(), true);
  ASSERT_TRUE(WriteFileAtomic(JoinPath(dir->path(), "x.jsonl"), "hm").ok());
  const auto history = ReadHistory(dir->path());
  ASSERT_TRUE(history.ok()) << history.status();
  EXPECT_TRUE(history->runs[0] == SampleResult());
  ASSERT_EQ(history->corrupt_records.size(), 1u);
  EXPECT_EQ(history->corrupt_records[0].reason, "is truncated");
}

}  // namespace
}  // namespace assay::reports
