#include "reports/store/record_log.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/render/testing.h"
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
  row.model = "net";
  row.samples_ms = {1.0 + cell, 1.5};
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

  // The cells that are there.
  std::vector<std::string> Cells() {
    const auto log = ReadLog(folder_);
    EXPECT_TRUE(log.ok()) << log.status();
    std::vector<std::string> cells;
    damages_ = log->damages;
    for (const Entry& entry : log->entries) cells.push_back(entry.record.cell);
    return cells;
  }

  // Without waiting for the disk.
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
  std::vector<Damage> damages_;
};

TEST_F(RecordLogTest, WhatWasAppendedIsThere) {
  Append("a", 3);
  const auto log = ReadLog(folder_);
  ASSERT_TRUE(log.ok()) << log.status();
  ASSERT_EQ(log->entries.size(), 3u);
  EXPECT_TRUE(log->entries[1].record == RecordOf("a", 1));
  EXPECT_TRUE(log->damages.empty());
  // An entry says where it stands.
  const Entry& entry = log->entries[1];
  const std::string text = *ReadFile(JoinPath(folder_, entry.segment));
  const std::string line = text.substr(static_cast<size_t>(entry.offset),
                                       static_cast<size_t>(entry.bytes));
  EXPECT_EQ(line + "\n", FormatRecord(RecordOf("a", 1)));
  EXPECT_EQ(IdOf(line), entry.id);
}

TEST_F(RecordLogTest, NoFolderIsAnErrorAndAnEmptyOneIsNot) {
  EXPECT_TRUE(absl::IsNotFound(ReadLog(folder_).status()));
  // Nothing appended leaves nothing.
  EXPECT_TRUE(LogWriter::Create(folder_).ok());
  EXPECT_TRUE(ReadLog(folder_).ok());
  EXPECT_TRUE(ListSegments(folder_)->empty());
}

TEST_F(RecordLogTest, WritersDoNotMeet) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([this, i] { Append(std::to_string(i), 20); });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(Cells().size(), 160u);
  EXPECT_TRUE(damages_.empty());
  EXPECT_EQ(ListSegments(folder_)->size(), 8u);
}

TEST_F(RecordLogTest, MergingIsCopying) {
  Append("a", 2);
  std::string other = JoinPath(dir_.path(), "other");
  std::filesystem::copy(folder_, other);
  Append("b", 1);
  std::swap(folder_, other);
  Append("c", 1);
  // A record of `a` once more, in another segment.
  Append("a", 1);
  std::filesystem::copy(folder_, other,
                        std::filesystem::copy_options::recursive |
                            std::filesystem::copy_options::overwrite_existing);
  std::swap(folder_, other);
  EXPECT_THAT(Cells(), ::testing::UnorderedElementsAre("0", "1", "0", "0"));
}

TEST_F(RecordLogTest, CutAnywhereLosesAtMostTheLastRecord) {
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
    ASSERT_EQ(log.damages.size(), torn ? 1u : 0u) << size;
    if (torn) {
      EXPECT_EQ(log.damages[0].line, 2);
      EXPECT_EQ(log.damages[0].bytes, static_cast<int64_t>(size - last));
      EXPECT_EQ(log.damages[0].reason, "is cut short");
    }
  }
}

TEST_F(RecordLogTest, AChangedByteAnywhereLosesAtMostTheLastRecord) {
  Append("a", 2);
  const std::string whole = *ReadFile(OnlySegment());
  Rng rng(1);
  for (size_t at = whole.find('\n') + 1; at + 1 < whole.size(); ++at) {
    std::string text = whole;
    text[at] = static_cast<char>(text[at] ^ rng.UniformInt(1, 255));
    const LogContents log = ParseSegment(text, "s");
    ASSERT_EQ(log.entries.size(), 1u) << at;
    EXPECT_TRUE(log.entries[0].record == RecordOf("a", 0));
    // Two if it became a line break.
    ASSERT_GE(log.damages.size(), 1u) << at;
    EXPECT_EQ(log.damages[0].line, 2);
  }
}

TEST_F(RecordLogTest, WhatIsDamagedIsLeftAloneAndTheNextWriterGoesOn) {
  Append("a", 2);
  const std::string path = OnlySegment();
  const std::string whole = *ReadFile(path);
  const std::string cut = whole.substr(0, whole.size() - 100);
  Write(path, cut);
  Append("b", 1);
  EXPECT_THAT(Cells(), ElementsAre("0", "0"));
  EXPECT_EQ(damages_.size(), 1u);
  EXPECT_EQ(*ReadFile(path), cut);
}

TEST_F(RecordLogTest, GarbageBetweenRecordsIsReportedAndSkipped) {
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
      if (rng.UniformInt(0, 1) == 0) {  // a part of a record, or two glued
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
    ASSERT_EQ(log.damages.size(), bad) << "seed " << seed;
  }
}

TEST_F(RecordLogTest, DamageIsDescribed) {
  Append("a", 1);
  ASSERT_TRUE(WriteFileAtomic(JoinPath(folder_, "x.jsonl"), "\nhm\n").ok());
  Cells();
  ASSERT_EQ(damages_.size(), 1u);
  EXPECT_EQ(Describe(damages_[0]),
            "`x.jsonl:2`: the line of 2 bytes is not a record");
  // Other files are nobody's business.
  ASSERT_TRUE(WriteFileAtomic(JoinPath(folder_, "y.txt"), "hm").ok());
  EXPECT_EQ(ListSegments(folder_)->size(), 2u);
}

TEST_F(RecordLogTest, AFolderThatCannotBeMadeIsNamed) {
  ASSERT_TRUE(WriteFileAtomic(folder_, "a file").ok());
  EXPECT_THAT(LogWriter::Create(folder_).status().ToString(),
              HasSubstr(folder_));
  EXPECT_THAT(ReadLog(folder_).status().ToString(), HasSubstr(folder_));
}

}  // namespace
}  // namespace assay::reports
