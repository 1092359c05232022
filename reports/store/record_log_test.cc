#include "reports/store/record_log.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/checked_line.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"

namespace assay::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Record RecordOf(const std::string& run, int cell) {
  Record record{run, "job", std::to_string(cell), {}};
  record.result.started_at = "2024-05-01T12:00:00Z";
  record.result.environment = SampleResult().environment;
  Row row;
  row.cell.model = "net";
  row.timing.samples_ns = {1e6 * (1.0 + cell), 1.5e6};
  record.result.rows.push_back(row);
  return record;
}

class RecordLogTest : public ::testing::Test {
 protected:
  RecordLogTest()
      : dir_(*TempDir::Create()), folder_(JoinPath(dir_.path(), "store")) {}

  void Append(const std::string& run, int cells) {
    auto writer = LogWriter::Create(folder_);
    ASSERT_TRUE(writer.ok()) << writer.status();
    for (int i = 0; i < cells; ++i) {
      ASSERT_TRUE((*writer)->Append(RecordOf(run, i)).ok());
    }
  }

  // The cells of the records in the log.
  std::vector<std::string> Cells() {
    const auto log = ReadLog(folder_);
    EXPECT_TRUE(log.ok()) << log.status();
    std::vector<std::string> cells;
    corrupt_records_ = log->corrupt_records;
    for (const Entry& entry : log->entries) cells.push_back(entry.record.cell);
    return cells;
  }

  // Writes without fsync.
  static void Write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }

  std::string OnlySegment() {
    const auto segments = ListSegments(folder_);
    EXPECT_EQ(segments->size(), 1u);
    return JoinPath(folder_, segments->at(0));
  }

  TempDir dir_;
  std::string folder_;
  std::vector<CorruptRecord> corrupt_records_;
};

TEST_F(RecordLogTest, ReadsAppendedRecords) {
  Append("a", 3);
  const auto log = ReadLog(folder_);
  ASSERT_TRUE(log.ok()) << log.status();
  ASSERT_EQ(log->entries.size(), 3u);
  EXPECT_TRUE(log->entries[1].record == RecordOf("a", 1));
  EXPECT_TRUE(log->corrupt_records.empty());
  // The entry has the location of the record.
  const Entry& entry = log->entries[1];
  const std::string text = *ReadFile(JoinPath(folder_, entry.segment));
  const std::string line = text.substr(static_cast<size_t>(entry.offset),
                                       static_cast<size_t>(entry.bytes));
  EXPECT_EQ(line + "\n", FormatRecord(RecordOf("a", 1)));
  EXPECT_EQ(IdOf(line), entry.id);
}

TEST_F(RecordLogTest, MissingFolderIsNotFoundAndEmptyFolderIsEmpty) {
  EXPECT_TRUE(absl::IsNotFound(ReadLog(folder_).status()));
  // An empty segment is removed.
  EXPECT_TRUE(LogWriter::Create(folder_).ok());
  EXPECT_TRUE(ReadLog(folder_).ok());
  EXPECT_TRUE(ListSegments(folder_)->empty());
}

TEST_F(RecordLogTest, OnlyFilesAreSegments) {
  Append("a", 2);
  for (const char* name : {"folder.jsonl", "0000.jsonl"}) {
    std::filesystem::create_directory(JoinPath(folder_, name));
  }
  ASSERT_EQ(mkfifo(JoinPath(folder_, "pipe.jsonl").c_str(), 0600), 0);
  EXPECT_EQ(ListSegments(folder_)->size(), 1u);
  EXPECT_THAT(Cells(), ElementsAre("0", "1"));
}

TEST_F(RecordLogTest, ConcurrentWritersDoNotConflict) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([this, i] { Append(std::to_string(i), 20); });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(Cells().size(), 160u);
  EXPECT_TRUE(corrupt_records_.empty());
  EXPECT_EQ(ListSegments(folder_)->size(), 8u);
}

TEST_F(RecordLogTest, CopyingSegmentsMergesStores) {
  Append("a", 2);
  std::string other = JoinPath(dir_.path(), "other");
  std::filesystem::copy(folder_, other);
  Append("b", 1);
  std::swap(folder_, other);
  Append("c", 1);
  // A duplicate of a record of `a` in another segment.
  Append("a", 1);
  std::filesystem::copy(folder_, other,
                        std::filesystem::copy_options::recursive |
                            std::filesystem::copy_options::overwrite_existing);
  std::swap(folder_, other);
  EXPECT_THAT(Cells(), ::testing::UnorderedElementsAre("0", "1", "0", "0"));
}

TEST_F(RecordLogTest, TruncationLosesAtMostTheLastRecord) {
  Append("a", 2);
  const std::string whole = *ReadFile(OnlySegment());
  const size_t last = whole.find('\n') + 1;
  for (size_t size = last; size <= whole.size(); ++size) {
    const LogContents log = ParseSegment(whole.substr(0, size), "s");
    // Only the line break may be missing.
    const bool all = size + 1 >= whole.size();
    ASSERT_EQ(log.entries.size(), all ? 2u : 1u) << size;
    EXPECT_TRUE(log.entries[0].record == RecordOf("a", 0));
    const bool torn = size != last && !all;
    ASSERT_EQ(log.corrupt_records.size(), torn ? 1u : 0u) << size;
    if (torn) {
      EXPECT_EQ(log.corrupt_records[0].line, 2);
      EXPECT_EQ(log.corrupt_records[0].bytes,
                static_cast<int64_t>(size - last));
      EXPECT_EQ(log.corrupt_records[0].reason, "is truncated");
    }
  }
}

TEST_F(RecordLogTest, ModifiedByteLosesOnlyItsRecord) {
  Append("a", 2);
  const std::string whole = *ReadFile(OnlySegment());
  Rng rng(1);
  for (size_t at = whole.find('\n') + 1; at + 1 < whole.size(); ++at) {
    std::string text = whole;
    text[at] = static_cast<char>(text[at] ^ rng.UniformInt(1, 255));
    const LogContents log = ParseSegment(text, "s");
    ASSERT_EQ(log.entries.size(), 1u) << at;
    EXPECT_TRUE(log.entries[0].record == RecordOf("a", 0));
    // Two if the byte became a line break.
    ASSERT_GE(log.corrupt_records.size(), 1u) << at;
    EXPECT_EQ(log.corrupt_records[0].line, 2);
  }
}

TEST_F(RecordLogTest, NewWritersDoNotModifyTornSegments) {
  Append("a", 2);
  const std::string path = OnlySegment();
  const std::string whole = *ReadFile(path);
  const std::string cut = whole.substr(0, whole.size() - 100);
  Write(path, cut);
  Append("b", 1);
  EXPECT_THAT(Cells(), ElementsAre("0", "0"));
  EXPECT_EQ(corrupt_records_.size(), 1u);
  EXPECT_EQ(*ReadFile(path), cut);
}

TEST_F(RecordLogTest, SkipsAndReportsInvalidLines) {
  const std::string line = FormatRecord(RecordOf("a", 0));
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    std::string text;
    size_t good = 0;
    size_t bad = 0;
    for (int64_t i = rng.UniformInt(1, 8); i > 0; --i) {
      if (rng.UniformInt(0, 1) == 0) {
        text += FormatRecord(RecordOf("a", static_cast<int>(i)));
        ++good;
        continue;
      }
      std::string garbage;
      if (rng.UniformInt(0, 1) == 0) {  // a part of a record, or two joined
        const auto size = static_cast<int64_t>(line.size());
        garbage = line.substr(static_cast<size_t>(rng.UniformInt(1, size - 2)));
        garbage.resize(garbage.size() - 1);
        if (rng.UniformInt(0, 1) == 0) {
          garbage += line.substr(0, line.size() - 1);
        }
      } else {
        for (int64_t n = rng.UniformInt(1, 300); n > 0; --n) {
          const char c = static_cast<char>(rng.UniformInt(0, 255));
          garbage += c == '\n' ? '\0' : c;
        }
      }
      text += garbage + "\n";
      ++bad;
    }
    const LogContents log = ParseSegment(text, "s");
    ASSERT_EQ(log.entries.size(), good) << "seed " << seed;
    ASSERT_EQ(log.corrupt_records.size(), bad) << "seed " << seed;
  }
}

TEST_F(RecordLogTest, DescribesCorruptRecords) {
  Append("a", 1);
  ASSERT_TRUE(WriteFileAtomic(JoinPath(folder_, "x.jsonl"), "\nhm\n").ok());
  Cells();
  ASSERT_EQ(corrupt_records_.size(), 1u);
  EXPECT_EQ(Describe(corrupt_records_[0]),
            "`x.jsonl:2`: the line of 2 bytes is not a record");
  // Other files are ignored.
  ASSERT_TRUE(WriteFileAtomic(JoinPath(folder_, "y.txt"), "hm").ok());
  EXPECT_EQ(ListSegments(folder_)->size(), 2u);
}

TEST_F(RecordLogTest, ErrorsNameTheFolder) {
  ASSERT_TRUE(WriteFileAtomic(folder_, "a file").ok());
  EXPECT_THAT(LogWriter::Create(folder_).status().ToString(),
              HasSubstr(folder_));
  EXPECT_THAT(ReadLog(folder_).status().ToString(), HasSubstr(folder_));
}

}  // namespace
}  // namespace assay::reports
