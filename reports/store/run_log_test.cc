#include "reports/store/run_log.h"

#include <memory>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/history.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

class RunLogTest : public ::testing::Test {
 protected:
  RunLogTest() : dir_(*TempDir::Create()) { header_ = SampleResult(); }

  std::unique_ptr<RunLog> Open(const std::string& job, bool resume) {
    auto log = RunLog::Open(dir_.path(), job, header_, resume);
    EXPECT_TRUE(log.ok()) << log.status();
    return *std::move(log);
  }

  size_t Runs() { return ReadHistory(dir_.path())->runs.size(); }

  TempDir dir_;
  RunResult header_;
  const Row row_ = SampleResult().rows[0];
};

TEST_F(RunLogTest, ResumedRunFindsRecordedRows) {
  Row other = row_;
  other.cell.model = "other";
  {
    const auto log = Open("job", true);
    EXPECT_EQ(log->recorded(), 0u);
    EXPECT_TRUE(log->Append("a", row_).ok());
    EXPECT_TRUE(log->Append("b", other).ok());
    // Find() returns only rows of earlier processes.
    EXPECT_EQ(log->Find("a"), nullptr);
  }
  header_.started_at = "2030-01-01T00:00:00Z";
  header_.commit = "later";
  const auto log = Open("job", true);
  EXPECT_EQ(log->recorded(), 2u);
  ASSERT_NE(log->Find("a"), nullptr);
  EXPECT_TRUE(*log->Find("a") == row_);
  EXPECT_TRUE(*log->Find("b") == other);
  EXPECT_EQ(log->Find("c"), nullptr);
  EXPECT_EQ(log->started_at(), SampleResult().started_at);
  EXPECT_TRUE(log->Append("c", row_).ok());
  EXPECT_EQ(Runs(), 1u);
  EXPECT_EQ(ReadHistory(dir_.path())->runs[0].commit, SampleResult().commit);
}

TEST_F(RunLogTest, ResumesRunRepeatedly) {
  for (const char* cell : {"a", "b", "c"}) {
    ASSERT_TRUE(Open("job", true)->Append(cell, row_).ok());
  }
  const auto log = Open("job", true);
  EXPECT_EQ(log->recorded(), 3u);
  EXPECT_EQ(Runs(), 1u);
}

TEST_F(RunLogTest, ResumesOnlyTheLatestUnfinishedRun) {
  ASSERT_TRUE(Open("job", false)->Append("old", row_).ok());
  header_.started_at = "2030-01-01T00:00:00Z";
  {
    const auto log = Open("job", false);
    ASSERT_TRUE(log->Append("new", row_).ok());
    ASSERT_TRUE(log->Finish().ok());
  }
  EXPECT_EQ(Open("job", true)->recorded(), 0u);
  header_.started_at = "2031-01-01T00:00:00Z";
  ASSERT_TRUE(Open("job", false)->Append("newest", row_).ok());
  EXPECT_EQ(Open("another", true)->recorded(), 0u);
  EXPECT_EQ(Open("job", false)->recorded(), 0u);
  const auto log = Open("job", true);
  EXPECT_EQ(log->recorded(), 1u);
  EXPECT_NE(log->Find("newest"), nullptr);
}

TEST_F(RunLogTest, DoesNotResumeRunInProgress) {
  const auto first = Open("job", true);
  ASSERT_TRUE(first->Append("a", row_).ok());
  EXPECT_EQ(Open("job", true)->recorded(), 0u);
}

TEST_F(RunLogTest, OnlyOneProcessResumesARun) {
  ASSERT_TRUE(Open("job", true)->Append("a", row_).ok());
  const auto first = Open("job", true);
  EXPECT_EQ(first->recorded(), 1u);
  // `first` holds the run although it has not appended anything.
  const auto second = Open("job", true);
  EXPECT_EQ(second->recorded(), 0u);
  ASSERT_TRUE(second->Append("a", row_).ok());
  EXPECT_EQ(Runs(), 2u);
}

TEST_F(RunLogTest, DoesNotReturnInfrastructureFailures) {
  Row failed = row_;
  failed.verdict = stats::Verdict::kInfrastructure;
  {
    const auto log = Open("job", true);
    ASSERT_TRUE(log->Append("a", failed).ok());
    ASSERT_TRUE(log->Append("b", row_).ok());
  }
  const auto log = Open("job", true);
  EXPECT_EQ(log->Find("a"), nullptr);
  EXPECT_NE(log->Find("b"), nullptr);
}

}  // namespace
}  // namespace assay::reports
