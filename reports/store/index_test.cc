#include "reports/store/index.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/checked_line.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"

namespace assay::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StoreIndexTest : public ::testing::Test {
 protected:
  StoreIndexTest()
      : dir_(*TempDir::Create()),
        folder_(JoinPath(dir_.path(), "store")),
        file_(JoinPath(folder_, "index.sqlite")) {}

  void Append(const std::string& model, const std::string& started_at) {
    auto writer = LogWriter::Create(folder_);
    ASSERT_TRUE(writer.ok()) << writer.status();
    ASSERT_TRUE((*writer)->Append(RecordOf(model, started_at)).ok());
  }

  // Overwrites the index, without fsync.
  void Write(const std::string& text) {
    std::ofstream(file_, std::ios::binary) << text;
  }

  static Record RecordOf(const std::string& model,
                         const std::string& started_at) {
    Record record{"run", "job", model, SampleResult()};
    record.result.started_at = started_at;
    record.result.rows.resize(1);
    record.result.rows[0].cell.model = model;
    return record;
  }

  std::vector<std::string> Models(const Query& query = {}) {
    auto index = StoreIndex::Open(folder_);
    EXPECT_TRUE(index.ok()) << index.status();
    return ModelsOf(*index, query);
  }

  static std::vector<std::string> ModelsOf(StoreIndex& index,
                                           const Query& query = {}) {
    const auto records = index.Find(query);
    EXPECT_TRUE(records.ok()) << records.status();
    std::vector<std::string> models;
    for (const Record& record : *records) {
      models.push_back(record.result.rows[0].cell.model);
    }
    return models;
  }

  TempDir dir_;
  std::string folder_;
  std::string file_;
};

TEST_F(StoreIndexTest, FindsByEveryField) {
  Append("c", "2024-05-03T00:00:00Z");
  Append("a", "2024-05-01T00:00:00Z");
  Append("b", "2024-05-02T00:00:00Z");
  EXPECT_THAT(Models(), ElementsAre("a", "b", "c"));
  Query q;
  q.model = "b";
  EXPECT_THAT(Models(q), ElementsAre("b"));
  q = {};
  q.suite = "resnet18";
  q.device = "host";
  q.commit = "0123";
  EXPECT_THAT(Models(q), ElementsAre("a", "b", "c"));
  for (std::string Query::* member :
       {&Query::suite, &Query::device, &Query::commit}) {
    Query none = q;
    none.*member = "another";
    EXPECT_THAT(Models(none), IsEmpty());
  }
  q = {};
  q.since = "2024-05-02T00:00:00Z";
  EXPECT_THAT(Models(q), ElementsAre("b", "c"));
  q.until = "2024-05-03T00:00:00Z";
  EXPECT_THAT(Models(q), ElementsAre("b"));
}

TEST_F(StoreIndexTest, ReturnsCompleteRecords) {
  Append("a", "2024-05-01T00:00:00Z");
  auto index = StoreIndex::Open(folder_);
  ASSERT_TRUE(index.ok()) << index.status();
  const auto records = index->Find({});
  ASSERT_TRUE(records.ok()) << records.status();
  ASSERT_EQ(records->size(), 1u);
  EXPECT_TRUE(records->at(0) == RecordOf("a", "2024-05-01T00:00:00Z"));
}

TEST_F(StoreIndexTest, DetectsChangedSegments) {
  Append("a", "2024-05-01T00:00:00Z");
  EXPECT_THAT(Models(), ElementsAre("a"));
  // A segment is added, one grows, and one is removed.
  const std::string first = JoinPath(folder_, ListSegments(folder_)->at(0));
  Append("b", "2024-05-02T00:00:00Z");
  EXPECT_THAT(Models(), ElementsAre("a", "b"));
  const std::string text = *ReadFile(first);
  ASSERT_TRUE(WriteFileAtomic(first, text + FormatRecord(RecordOf(
                                                "c", "2024-05-03T00:00:00Z")))
                  .ok());
  EXPECT_THAT(Models(), ElementsAre("a", "b", "c"));
  std::filesystem::remove(first);
  EXPECT_THAT(Models(), ElementsAre("b"));
}

TEST_F(StoreIndexTest, ReturnsDuplicateRecordsOnce) {
  Append("a", "2024-05-01T00:00:00Z");
  Append("a", "2024-05-01T00:00:00Z");
  EXPECT_THAT(Models(), ElementsAre("a"));
}

TEST_F(StoreIndexTest, RebuildsMissingOrCorruptIndex) {
  Append("a", "2024-05-01T00:00:00Z");
  Append("b", "2024-05-02T00:00:00Z");
  EXPECT_THAT(Models(), ElementsAre("a", "b"));
  const std::string good = *ReadFile(file_);
  std::filesystem::remove(file_);
  EXPECT_THAT(Models(), ElementsAre("a", "b"));
  for (const char* text : {"", "no database", "SQLite format 3"}) {
    Write(text);
    EXPECT_THAT(Models(), ElementsAre("a", "b")) << text;
  }
  for (size_t size = 1; size < good.size(); size += good.size() / 10) {
    Write(good.substr(0, size));
    EXPECT_THAT(Models(), ElementsAre("a", "b")) << "cut at " << size;
  }
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    std::string bad = good;
    const auto page = static_cast<size_t>(
        rng.UniformInt(0, static_cast<int64_t>(good.size()) / 4096 - 1) * 4096);
    for (size_t i = 0; i < 200; ++i) {
      bad[page + i] = static_cast<char>(rng.UniformInt(0, 255));
    }
    Write(bad);
    EXPECT_THAT(Models(), ElementsAre("a", "b")) << "seed " << seed;
  }
}

TEST_F(StoreIndexTest, RebuildsIndexWithWrongContents) {
  Append("a", "2024-05-01T00:00:00Z");
  EXPECT_THAT(Models(), ElementsAre("a"));
  {
    auto database = runtime::Database::Open(file_);
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE(database->Execute("UPDATE records SET offset = 5").ok());
  }
  EXPECT_THAT(Models(), ElementsAre("a"));
  auto database = runtime::Database::Open(file_);
  ASSERT_TRUE(database->Execute("PRAGMA user_version = 99").ok());
  EXPECT_THAT(Models(), ElementsAre("a"));
}

TEST_F(StoreIndexTest, RescansSegmentsThatWereRewrittenAfterOpen) {
  Append("a", "2024-05-01T00:00:00Z");
  auto index = StoreIndex::Open(folder_);
  ASSERT_TRUE(index.ok());
  const std::string path = JoinPath(folder_, ListSegments(folder_)->at(0));
  const std::string line = FormatRecord(RecordOf("b", "2024-05-01T00:00:00Z"));
  ASSERT_TRUE(WriteFileAtomic(path, "\n\n" + line).ok());
  EXPECT_THAT(ModelsOf(*index), ElementsAre("b"));
}

TEST_F(StoreIndexTest, RemembersCorruptRecords) {
  Append("a", "2024-05-01T00:00:00Z");
  ASSERT_TRUE(WriteFileAtomic(JoinPath(folder_, "x.jsonl"), "hm\n").ok());
  for (int time = 0; time < 2; ++time) {
    auto index = StoreIndex::Open(folder_);
    ASSERT_TRUE(index.ok());
    const auto corrupt_records = index->CorruptRecords();
    ASSERT_TRUE(corrupt_records.ok()) << corrupt_records.status();
    ASSERT_EQ(corrupt_records->size(), 1u);
    EXPECT_EQ(Describe(corrupt_records->at(0)),
              "`x.jsonl:1`: the line of 2 bytes is not a record");
  }
}

// The head of the record is as this version writes it, and the rest is not.
TEST_F(StoreIndexTest, SkipsRecordsOfOtherVersions) {
  Append("a", "2024-05-01T00:00:00Z");
  const std::string good = FormatRecord(RecordOf("b", "2024-05-02T00:00:00Z"));
  const std::string other = CheckedLine(absl::StrReplaceAll(
      *BodyOf(good), {{"\"samples_ns\":[", "\"samples_ns\":[[],"}}));
  ASSERT_TRUE(
      WriteFileAtomic(JoinPath(folder_, "x.jsonl"), good + other + "\n").ok());
  auto index = StoreIndex::Open(folder_);
  ASSERT_TRUE(index.ok()) << index.status();
  for (int time = 0; time < 2; ++time) {
    EXPECT_THAT(ModelsOf(*index), ElementsAre("a", "b"));
    const auto corrupt_records = index->CorruptRecords();
    ASSERT_TRUE(corrupt_records.ok()) << corrupt_records.status();
    ASSERT_EQ(corrupt_records->size(), 1u);
    EXPECT_EQ(corrupt_records->at(0).segment, "x.jsonl");
    EXPECT_EQ(corrupt_records->at(0).line, 2);
  }
}

TEST_F(StoreIndexTest, FallsBackToMemoryIfFileCannotBeWritten) {
  Append("a", "2024-05-01T00:00:00Z");
  // A directory of this name prevents the creation of the file.
  ASSERT_TRUE(MakeDirs(JoinPath(file_, "x")).ok());
  EXPECT_THAT(Models(), ElementsAre("a"));
}

TEST_F(StoreIndexTest, MissingFolderIsNotFoundAndNotCreated) {
  EXPECT_TRUE(absl::IsNotFound(StoreIndex::Open(folder_).status()));
  EXPECT_FALSE(FileExists(folder_));
}

}  // namespace
}  // namespace assay::reports
