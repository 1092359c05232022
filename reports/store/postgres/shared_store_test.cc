#include "reports/store/postgres/shared_store.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/acknowledgement_log.h"
#include "reports/store/postgres/schema.h"
#include "reports/store/postgres/testing/server_fixture.h"
#include "reports/store/record_log.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Record RecordOf(const std::string& model, const std::string& started_at) {
  Record record{"run", "job", model, SampleResult()};
  record.result.started_at = started_at;
  record.result.rows.resize(1);
  record.result.rows[0].cell.model = model;
  return record;
}

// A record with random names, or the final record of a run.
Record RandomRecord(uint64_t seed) {
  Record record{absl::StrCat("run", seed % 3), "job", "", RandomResult(seed),
                static_cast<int64_t>(seed)};
  if (record.result.rows.size() > 1) record.result.rows.resize(1);
  if (!record.result.rows.empty()) record.cell = absl::StrCat("cell", seed);
  return record;
}

std::vector<std::string> TextsOf(const std::vector<Record>& records) {
  std::vector<std::string> texts;
  for (const Record& record : records) texts.push_back(FormatRecord(record));
  return texts;
}

// All tests share a server, and each has its own database.
class SharedStoreTest : public ServerFixture {
 protected:
  SharedStoreTest()
      : dir_(*TempDir::Create()), folder_(JoinPath(dir_.path(), "store")) {
    static int number = 0;
    const std::string name = absl::StrCat("test", ++number);
    auto first = Connection::Open(server_->address());
    EXPECT_TRUE(first.ok()) << first.status();
    EXPECT_TRUE(first->Run("CREATE DATABASE " + name).ok());
    address_ = server_->address();
    address_.replace(address_.find("/assay?"), 7, "/" + name + "?");
  }

  SharedStore Open() const {
    auto store = SharedStore::Open(address_);
    EXPECT_TRUE(store.ok()) << store.status();
    return *std::move(store);
  }

  void Append(const std::string& folder, const std::vector<Record>& records) {
    auto writer = LogWriter::Create(folder);
    ASSERT_TRUE(writer.ok()) << writer.status();
    for (const Record& record : records) {
      ASSERT_TRUE((*writer)->Append(record).ok());
    }
  }

  // Returns the number of records that were added, or -1.
  int64_t Push(const std::string& folder) const {
    const auto pushed = Open().Push(folder);
    EXPECT_TRUE(pushed.ok()) << pushed.status();
    return pushed.ok() ? pushed->added : -1;
  }

  TempDir dir_;
  std::string folder_;
  std::string address_;
};

TEST_F(SharedStoreTest, FindsWhatTheIndexOfTheFolderFinds) {
  for (uint64_t segment = 0; segment < 4; ++segment) {
    std::vector<Record> records;
    for (uint64_t i = 0; i < 30; ++i) {
      records.push_back(RandomRecord(segment * 1000 + i));
    }
    records.push_back(RecordOf("net", "2024-05-01T00:00:00Z"));
    Append(folder_, records);
  }
  EXPECT_GT(Push(folder_), 100);
  SharedStore store = Open();
  auto index = StoreIndex::Open(folder_);
  ASSERT_TRUE(index.ok()) << index.status();
  std::vector<Query> queries(8);
  queries[1].suite = "plain";
  queries[2].model = "say \"so\"";
  queries[3].device = "line\nbreak";
  queries[4].commit = "a";
  queries[5].since = "a";
  queries[6].until = "say";
  queries[7].suite = "resnet18";
  queries[7].model = "net";
  queries[7].commit = "0123";
  queries[7].since = "2024-05-01";
  queries[7].until = "2024-05-02";
  for (size_t i = 0; i < queries.size(); ++i) {
    const auto expected = index->Find(queries[i]);
    const auto found = store.Find(queries[i]);
    ASSERT_TRUE(expected.ok()) << expected.status();
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_THAT(*expected, testing::Not(IsEmpty())) << i;
    EXPECT_EQ(TextsOf(*found), TextsOf(*expected)) << i;
  }
  const auto all = store.All();
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_THAT(*all, SizeIs(ReadLog(folder_)->entries.size()));
}

TEST_F(SharedStoreTest, PushesARecordOnce) {
  const std::string other = JoinPath(dir_.path(), "other");
  Append(folder_, {RecordOf("a", "2024-05-01"), RecordOf("b", "2024-05-02")});
  Append(other, {RecordOf("b", "2024-05-02"), RecordOf("c", "2024-05-03")});
  EXPECT_EQ(Push(folder_), 2);
  EXPECT_EQ(Push(folder_), 0);
  EXPECT_EQ(Push(other), 1);
  EXPECT_THAT(*Open().Find({}), SizeIs(3));
}

TEST_F(SharedStoreTest, PushesOnlyWhatIsNew) {
  auto writer = LogWriter::Create(folder_);
  ASSERT_TRUE(writer.ok());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE((*writer)->Append(RecordOf("a", absl::StrCat(i))).ok());
    const auto pushed = Open().Push(folder_);
    ASSERT_TRUE(pushed.ok()) << pushed.status();
    EXPECT_EQ(pushed->sent, 1) << i;
    EXPECT_EQ(pushed->added, 1) << i;
  }
}

// A pruned copy of a segment must not hide what the whole segment has.
TEST_F(SharedStoreTest, PushesWholeSegmentAfterItsPrunedCopy) {
  const std::string a = FormatRecord(RecordOf("a", "2024-05-01"));
  const std::string b = FormatRecord(RecordOf("b", "2024-05-02"));
  const std::string c = FormatRecord(RecordOf("c", "2024-05-03"));
  ASSERT_TRUE(MakeDirs(folder_).ok());
  const std::string path = JoinPath(folder_, "segment.jsonl");
  ASSERT_TRUE(WriteFileAtomic(path, c).ok());
  EXPECT_EQ(Push(folder_), 1);
  ASSERT_TRUE(WriteFileAtomic(path, absl::StrCat(a, b, c)).ok());
  EXPECT_EQ(Push(folder_), 2);
  EXPECT_EQ(Push(folder_), 0);
}

TEST_F(SharedStoreTest, IncompleteLineIsPushedWhenItIsComplete) {
  const std::string a = FormatRecord(RecordOf("a", "2024-05-01"));
  const std::string b = FormatRecord(RecordOf("b", "2024-05-02"));
  ASSERT_TRUE(MakeDirs(folder_).ok());
  const std::string path = JoinPath(folder_, "segment.jsonl");
  ASSERT_TRUE(WriteFileAtomic(path, a + b.substr(0, 100)).ok());
  EXPECT_EQ(Push(folder_), 1);
  ASSERT_TRUE(WriteFileAtomic(path, a + b).ok());
  EXPECT_EQ(Push(folder_), 1);
}

TEST_F(SharedStoreTest, InvalidLinesHideNothing) {
  const std::string a = FormatRecord(RecordOf("a", "2024-05-01"));
  const std::string b = FormatRecord(RecordOf("b", "2024-05-02"));
  std::string bad = FormatRecord(RecordOf("c", "2024-05-03"));
  const std::string good = bad;
  bad[200] ^= 1;
  ASSERT_TRUE(MakeDirs(folder_).ok());
  const std::string path = JoinPath(folder_, "segment.jsonl");
  ASSERT_TRUE(WriteFileAtomic(path, absl::StrCat(a, bad, b)).ok());
  EXPECT_EQ(Push(folder_), 2);
  // The segment is replaced by an undamaged copy.
  ASSERT_TRUE(WriteFileAtomic(path, absl::StrCat(a, good, b, b)).ok());
  EXPECT_EQ(Push(folder_), 1);
  EXPECT_THAT(*Open().Find({}), SizeIs(3));
}

TEST_F(SharedStoreTest, NamesMayContainAnyText) {
  Record record = RecordOf(std::string("a\0b'\"\\", 6), "2024-05-01");
  Append(folder_, {record});
  EXPECT_EQ(Push(folder_), 1);
  const auto found = Open().Find({});
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_THAT(*found, SizeIs(1));
  EXPECT_TRUE(found->at(0) == record);
}

TEST_F(SharedStoreTest, ModifiedRecordIsDataLoss) {
  Append(folder_, {RecordOf("a", "2024-05-01")});
  EXPECT_EQ(Push(folder_), 1);
  SharedStore store = Open();
  ASSERT_TRUE(store.connection()
                  ->Run("UPDATE records SET record = "
                        "replace(record, 'resnet18', 'resnet19')")
                  .ok());
  const absl::Status text = store.Find({}).status();
  EXPECT_TRUE(absl::IsDataLoss(text)) << text;
  EXPECT_THAT(text.message(), HasSubstr("does not match its checksum"));
  ASSERT_TRUE(store.connection()
                  ->Run("UPDATE records SET record = $1",
                        {FormatRecord(RecordOf("b", "2024-05-01"))})
                  .ok());
  EXPECT_THAT(store.Find({}).status().message(),
              HasSubstr("does not match its id"));
}

TEST_F(SharedStoreTest, HistoryOfACellIsOfOneMachine) {
  std::vector<Record> records;
  for (const char* day : {"03", "01", "02"}) {
    records.push_back(RecordOf("net", absl::StrCat("2024-05-", day)));
    records.back().result.rows[0].timing.samples_ns = {
        1e6 * static_cast<double>(day[1] - '0')};
  }
  records[1].result.rows[0].timing.samples_ns.clear();
  records.push_back(RecordOf("net", "2024-05-04"));
  records.back().result.rows[0].fingerprint = "other machine";
  records.push_back(RecordOf("other", "2024-05-05"));
  Append(folder_, records);
  EXPECT_EQ(Push(folder_), 5);
  const auto points = Open().HistoryOf("resnet18/net/host/fusion_on/threads_2",
                                       records[0].result.rows[0].fingerprint);
  ASSERT_TRUE(points.ok()) << points.status();
  ASSERT_THAT(*points, SizeIs(3));
  EXPECT_EQ(points->at(0).started_at, "2024-05-01");
  EXPECT_FALSE(points->at(0).median_ms.has_value());
  EXPECT_EQ(points->at(1).median_ms, 2);
  EXPECT_EQ(points->at(2).median_ms, 3);
  EXPECT_EQ(points->at(2).commit, records[0].result.commit);
  EXPECT_EQ(points->at(2).verdict, "pass");
}

TEST_F(SharedStoreTest, KeepsAcknowledgementsOnceInTheOrderOfTime) {
  Acknowledgement a;
  a.cell = "zoo/*";
  a.made_at = "2024-05-02";
  a.levels = {{"zoo/net", "here", 1.5}};
  Acknowledgement b = a;
  b.made_at = "2024-05-01";
  ASSERT_TRUE(AppendAcknowledgement(folder_, a).ok());
  ASSERT_TRUE(AppendAcknowledgement(folder_, b).ok());
  EXPECT_EQ(Push(folder_), 0);
  EXPECT_EQ(Push(folder_), 0);
  const auto all = Open().Acknowledgements();
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_THAT(*all, ElementsAre(b, a));
}

TEST_F(SharedStoreTest, LatestLevelsAreOfTimedRows) {
  std::vector<Record> records;
  for (const char* day : {"02", "01", "03"}) {
    records.push_back(RecordOf("net", absl::StrCat("2024-05-", day)));
    records.back().result.rows[0].timing.samples_ns = {
        1e6 * static_cast<double>(day[1] - '0')};
  }
  records[2].result.rows[0].timing.samples_ns.clear();
  const std::string machine = records[0].result.rows[0].fingerprint;
  Append(folder_, records);
  EXPECT_EQ(Push(folder_), 3);
  const auto levels = Open().LatestLevels();
  ASSERT_TRUE(levels.ok()) << levels.status();
  EXPECT_THAT(
      *levels,
      ElementsAre(Level{"resnet18/net/host/fusion_on/threads_2", machine, 2}));
}

TEST_F(SharedStoreTest, NextPushContinuesAfterLostConnection) {
  SharedStore store = Open();
  Append(folder_, {RecordOf("a", "2024-05-01")});
  server_->Kill();
  EXPECT_TRUE(absl::IsUnavailable(store.Push(folder_).status()));
  ASSERT_TRUE(server_->Resume().ok());
  EXPECT_EQ(Push(folder_), 1);
}

TEST_F(SharedStoreTest, RejectsTablesOfAnotherVersion) {
  SharedStore store = Open();
  ASSERT_TRUE(
      store.connection()->Run("UPDATE assay_schema SET version = 99").ok());
  const absl::Status status = SharedStore::Open(address_).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_EQ(status.message(),
            absl::StrCat("the tables of the database are of version 99, and "
                         "this program needs version ",
                         kPostgresSchema));
}

TEST_F(SharedStoreTest, MissingFolderIsNotFound) {
  EXPECT_TRUE(absl::IsNotFound(Open().Push(folder_).status()));
}

}  // namespace
}  // namespace assay::reports
