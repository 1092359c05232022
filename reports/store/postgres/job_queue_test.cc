#include "reports/store/postgres/job_queue.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/store/postgres/shared_store.h"
#include "reports/store/postgres/testing/server_fixture.h"

namespace assay::reports {
namespace {

constexpr absl::Duration kLong = absl::Hours(1);

class JobQueueTest : public ServerFixture {
 protected:
  static SharedStore Open() {
    auto store = SharedStore::Open(server_->address());
    EXPECT_TRUE(store.ok()) << store.status();
    return *std::move(store);
  }

  JobQueueTest()
      : store_(Open()),
        name_(::testing::UnitTest::GetInstance()->current_test_info()->name()),
        queue_(name_, store_.connection()) {}

  LeasedJob Take(absl::Duration lease = kLong,
                 const std::string& worker = "worker") {
    auto job = queue_.Take(worker, lease);
    EXPECT_TRUE(job.ok()) << job.status();
    return job.ok() && job->has_value() ? **job : LeasedJob();
  }

  std::string Counts() {
    const auto counts = queue_.Count();
    EXPECT_TRUE(counts.ok()) << counts.status();
    return absl::StrCat(counts->waiting, " waiting, ", counts->leased,
                        " leased, ", counts->done, " done, ", counts->failed,
                        " failed");
  }

  // Starts a process that executes jobs until the queue is empty, or takes one
  // and hangs.
  pid_t StartWorker(int number, bool hang) const {
    const pid_t child = fork();
    if (child != 0) return child;
    auto store = SharedStore::Open(server_->address());
    if (!store.ok()) _exit(1);
    JobQueue queue(name_, store->connection());
    const std::string worker = absl::StrCat("worker", number);
    while (true) {
      const auto job =
          queue.Take(worker, hang ? absl::Milliseconds(300) : kLong);
      if (!job.ok()) _exit(1);
      if (!job->has_value()) break;
      if (hang) pause();
      absl::SleepFor(absl::Milliseconds(2));
      if (!queue.Finish(**job, worker).ok()) _exit(1);
    }
    _exit(0);
  }

  SharedStore store_;
  const std::string name_;
  JobQueue queue_;
};

TEST_F(JobQueueTest, TakesJobsInTheirOrderAndOnce) {
  ASSERT_TRUE(queue_.Enqueue("b", "payload of b").ok());
  ASSERT_TRUE(queue_.Enqueue("a", "payload of a").ok());
  ASSERT_TRUE(queue_.Enqueue("b", "ignored").ok());
  EXPECT_EQ(Counts(), "2 waiting, 0 leased, 0 done, 0 failed");
  const LeasedJob b = Take();
  EXPECT_EQ(b.name, "b");
  EXPECT_EQ(b.payload, "payload of b");
  EXPECT_EQ(b.attempt, 1);
  const LeasedJob a = Take();
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(Take().name, "");
  EXPECT_TRUE(queue_.Finish(b, "result").ok());
  EXPECT_EQ(Counts(), "0 waiting, 1 leased, 1 done, 0 failed");
  // A job that is done is not enqueued again.
  ASSERT_TRUE(queue_.Enqueue("b", "again").ok());
  EXPECT_EQ(Take().name, "");
}

TEST_F(JobQueueTest, QueuesAreSeparate) {
  JobQueue other("other", store_.connection());
  ASSERT_TRUE(other.Enqueue("a", "").ok());
  EXPECT_EQ(Take().name, "");
}

TEST_F(JobQueueTest, FailedJobIsRepeatedUpToItsLastAttempt) {
  ASSERT_TRUE(queue_.Enqueue("a", "", /*max_attempts=*/2).ok());
  EXPECT_TRUE(queue_.Fail(Take(), "the board is gone").ok());
  EXPECT_EQ(Counts(), "1 waiting, 0 leased, 0 done, 0 failed");
  const LeasedJob second = Take();
  EXPECT_EQ(second.attempt, 2);
  EXPECT_TRUE(queue_.Fail(second, "the board is gone").ok());
  EXPECT_EQ(Counts(), "0 waiting, 0 leased, 0 done, 1 failed");
  EXPECT_EQ(Take().name, "");
}

TEST_F(JobQueueTest, OnlyTheLastLeaseFinishesAJob) {
  ASSERT_TRUE(queue_.Enqueue("a", "").ok());
  const LeasedJob first = Take(absl::ZeroDuration(), "first");
  const LeasedJob second = Take(kLong, "second");
  EXPECT_EQ(second.attempt, 2);
  EXPECT_TRUE(absl::IsFailedPrecondition(queue_.Finish(first, "late")));
  EXPECT_TRUE(absl::IsFailedPrecondition(queue_.Renew(first, kLong)));
  EXPECT_TRUE(absl::IsFailedPrecondition(queue_.Fail(first, "late")));
  EXPECT_TRUE(queue_.Finish(second, "in time").ok());
  // Repeated because the answer was lost, for example.
  EXPECT_TRUE(queue_.Finish(second, "in time").ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(queue_.Finish(first, "late")));
}

TEST_F(JobQueueTest, RenewedLeaseDoesNotExpire) {
  ASSERT_TRUE(queue_.Enqueue("a", "").ok());
  const LeasedJob job = Take(absl::ZeroDuration());
  ASSERT_TRUE(queue_.Renew(job, kLong).ok());
  EXPECT_EQ(Take().name, "");
  EXPECT_TRUE(queue_.Finish(job, "").ok());
}

TEST_F(JobQueueTest, GivesUpAfterTheLastLeaseHasExpired) {
  ASSERT_TRUE(queue_.Enqueue("a", "", /*max_attempts=*/1).ok());
  Take(absl::ZeroDuration());
  EXPECT_EQ(Take().name, "");
  EXPECT_EQ(Counts(), "0 waiting, 0 leased, 0 done, 1 failed");
}

TEST_F(JobQueueTest, SeveralProcessesExecuteEachJobOnceEvenIfOneIsKilled) {
  constexpr int kJobs = 100;
  for (int i = 0; i < kJobs; ++i) {
    ASSERT_TRUE(queue_.Enqueue(absl::StrCat(i), "").ok());
  }
  const pid_t victim = StartWorker(0, /*hang=*/true);
  while (queue_.Count()->leased + queue_.Count()->waiting == 0 ||
         queue_.Count()->waiting == kJobs) {
    absl::SleepFor(absl::Milliseconds(5));
  }
  kill(victim, SIGKILL);
  waitpid(victim, nullptr, 0);
  std::vector<pid_t> workers;
  for (int i = 1; i <= 4; ++i) workers.push_back(StartWorker(i, false));
  for (const pid_t worker : workers) {
    int status = 1;
    waitpid(worker, &status, 0);
    EXPECT_EQ(status, 0);
  }
  // The job of the victim, unless its lease expired before.
  absl::SleepFor(absl::Milliseconds(300));
  const pid_t last = StartWorker(5, false);
  waitpid(last, nullptr, 0);
  EXPECT_EQ(Counts(), "0 waiting, 0 leased, 100 done, 0 failed");
  const auto attempts = store_.connection()->Run(
      "SELECT sum(attempts), count(DISTINCT result) FROM jobs WHERE queue = $1",
      {name_});
  ASSERT_TRUE(attempts.ok()) << attempts.status();
  EXPECT_EQ(attempts->Number(0, 0), kJobs + 1);
  EXPECT_GT(attempts->Number(0, 1), 1);
}

}  // namespace
}  // namespace assay::reports
