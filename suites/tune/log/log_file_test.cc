#include "suites/tune/log/log_file.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TuningRecord Record(int64_t seed) {
  TuningRecord record;
  record.task = "0123456789abcdef";
  record.workload = std::string(200, 'w');
  record.implementation = "matmul.blocked";
  record.samples_ns = {1, 2};
  record.seed = seed;
  record.time = "2026-11-24T12:00:00Z";
  return record;
}

class LogFileTest : public ::testing::Test {
 protected:
  // Appends records until an error.
  static void AppendAll(const std::string& path, int64_t first, int64_t last) {
    auto log = LogFile::Open(path);
    CHECK(log.ok()) << log.status();
    for (int64_t i = first; i < last; ++i) {
      const absl::Status status = log->Append(Record(i));
      CHECK(status.ok()) << status;
    }
  }

  const TempDir dir_ = TempDir::Create().value();
  const std::string path_ = JoinPath(dir_.path(), "log.jsonl");
};

TEST_F(LogFileTest, RecordsAreReadInOrder) {
  AppendAll(path_, 0, 5);
  AppendAll(path_, 5, 7);
  const auto log = ReadLog(path_);
  ASSERT_TRUE(log.ok()) << log.status();
  EXPECT_THAT(log->damaged, IsEmpty());
  EXPECT_EQ(log->path, path_);
  ASSERT_THAT(log->records, SizeIs(7));
  for (int64_t i = 0; i < 7; ++i) {
    EXPECT_EQ(log->records[static_cast<size_t>(i)].seed, i);
  }
}

TEST_F(LogFileTest, DamagedLinesAreReportedAndLoseNoOthers) {
  AppendAll(path_, 0, 2);
  std::string text = ReadFile(path_).value();
  text.insert(text.find('\n') + 1, "no record\n\n");
  text += Record(9).ToJson().substr(0, 40);
  ASSERT_TRUE(WriteFileAtomic(path_, text).ok());
  AppendAll(path_, 2, 3);
  const auto log = ReadLog(path_);
  ASSERT_TRUE(log.ok()) << log.status();
  EXPECT_THAT(log->records, SizeIs(3));
  EXPECT_THAT(log->lines, ElementsAre(1, 4, 6));
  ASSERT_THAT(log->damaged, SizeIs(2));
  EXPECT_EQ(log->damaged[0].line, 2);
  EXPECT_EQ(log->damaged[1].line, 5);
  EXPECT_EQ(log->damaged[1].reason, "the line is not JSON");
}

TEST_F(LogFileTest, RecordsOfNetworksAreReadWithTheOthers) {
  NetworkRecord network;
  network.network = "net";
  network.dropped = {{"a", "digest", "matmul.blocked", {}}};
  AppendAll(path_, 0, 1);
  ASSERT_TRUE(LogFile::Open(path_)->Append(network).ok());
  AppendAll(path_, 1, 2);
  ASSERT_TRUE(WriteFileAtomic(path_, *ReadFile(path_) +
                                         R"({"v":1,"kind":"network"})"
                                         "\n")
                  .ok());
  const auto log = ReadLog(path_);
  ASSERT_TRUE(log.ok()) << log.status();
  EXPECT_THAT(log->lines, ElementsAre(1, 3));
  EXPECT_THAT(log->network_lines, ElementsAre(2));
  ASSERT_THAT(log->networks, SizeIs(1));
  EXPECT_EQ(log->networks[0].ToJson(), network.ToJson());
  ASSERT_THAT(log->damaged, SizeIs(1));
  EXPECT_THAT(log->damaged[0].reason, HasSubstr("record.network"));
}

TEST_F(LogFileTest, Errors) {
  const std::string missing = JoinPath(dir_.path(), "no/such/file");
  EXPECT_THAT(std::string(LogFile::Open(missing).status().message()),
              HasSubstr(missing));
  EXPECT_THAT(std::string(ReadLog(missing).status().message()),
              HasSubstr(missing));
}

// A writer that is killed at any moment loses no record whose Append() has
// returned, and leaves a log that can be continued.
TEST_F(LogFileTest, AKillCostsOneRecord) {
  auto* const appended = static_cast<std::atomic<int64_t>*>(
      mmap(nullptr, sizeof(std::atomic<int64_t>), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(appended, MAP_FAILED);
  new (appended) std::atomic<int64_t>(0);
  Rng rng(1);
  int64_t kept = 0;
  for (int round = 0; round < 100; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      auto log = LogFile::Open(path_);
      if (!log.ok()) _exit(1);
      while (log->Append(Record(*appended)).ok()) ++*appended;
      _exit(1);
    }
    usleep(static_cast<useconds_t>(rng.UniformInt(0, 6000)));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    const auto log = ReadLog(path_);
    if (!log.ok()) {
      ASSERT_EQ(*appended, 0);  // was killed before it made the file
      continue;
    }
    // The record that was being written may be there or not.
    const auto records = static_cast<int64_t>(log->records.size());
    EXPECT_GE(records, kept + *appended);
    EXPECT_LE(records, kept + *appended + 1);
    kept = records;
    *appended = 0;
  }
  EXPECT_GT(kept, 0);
  munmap(appended, sizeof(*appended));
}

TEST_F(LogFileTest, SeveralWritersDoNotMixLines) {
  std::vector<std::thread> writers;
  for (int64_t i = 0; i < 4; ++i) {
    writers.emplace_back(
        [this, i] { AppendAll(path_, 100 * i, 100 * (i + 1)); });
  }
  for (std::thread& writer : writers) writer.join();
  const auto log = ReadLog(path_);
  ASSERT_TRUE(log.ok()) << log.status();
  EXPECT_THAT(log->damaged, IsEmpty());
  EXPECT_THAT(log->records, SizeIs(400));
}

// The limit of the size of files stands for a full disk: a write is cut.
TEST_F(LogFileTest, AFullDiskLeavesACompleteLog) {
  AppendAll(path_, 0, 3);
  const std::string before = ReadFile(path_).value();
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {before.size() + 50, before.size() + 50};
    auto log = LogFile::Open(path_);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || !log.ok()) _exit(1);
    _exit(log->Append(Record(3)).ok() ? 2 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ReadFile(path_).value(), before);
  AppendAll(path_, 3, 4);
  EXPECT_THAT(ReadLog(path_)->records, SizeIs(4));
}

}  // namespace
}  // namespace assay::suites
