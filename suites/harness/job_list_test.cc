#include "suites/harness/job_list.h"

#include <set>
#include <thread>
#include <tuple>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using Fields = std::tuple<int, int, int, int>;

Fields FieldsOf(const std::optional<Job>& job) {
  if (!job.has_value()) return {-1, -1, -1, -1};
  return {job->index, job->model, job->device, job->threads};
}

TEST(JobListTest, SortsJobsAsRows) {
  JobList work(2, {{1, 4}, {2}});
  EXPECT_EQ(work.CountOf(0), 4);
  EXPECT_EQ(work.CountOf(1), 2);
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(0, 0, 0, 1));
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(1, 0, 0, 4));
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(2, 0, 1, 2));
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(3, 1, 0, 1));
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(4, 1, 0, 4));
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(5, 1, 1, 2));
  EXPECT_FALSE(work.TakeAny().has_value());
}

TEST(JobListTest, ASlotTakesJobsOfItsDevice) {
  JobList work(2, {{1}, {2}});
  work.Join(1);
  EXPECT_EQ(FieldsOf(work.Take(1)), Fields(1, 0, 1, 2));
  EXPECT_EQ(FieldsOf(work.Take(1)), Fields(3, 1, 1, 2));
  EXPECT_FALSE(work.Take(1).has_value());
}

TEST(JobListTest, AnotherSlotTakesAJobThatIsGivenBack) {
  JobList work(2, {{1}});
  work.Join(0);
  work.Join(0);
  const Job first = *work.Take(0);
  const Job second = *work.Take(0);
  EXPECT_TRUE(work.GiveBack(first));
  // The other slot is the last one, and keeps what it has.
  EXPECT_FALSE(work.GiveBack(second));
  EXPECT_EQ(FieldsOf(work.Take(0)), FieldsOf(first));
}

TEST(JobListTest, ASlotThatFoundNoJobTakesNone) {
  JobList work(1, {{1}});
  work.Join(0);
  work.Join(0);
  const Job job = *work.Take(0);
  EXPECT_FALSE(work.Take(0).has_value());
  EXPECT_FALSE(work.GiveBack(job));
}

TEST(JobListTest, SlotsOfAnotherDeviceDoNotTakeAJob) {
  JobList work(1, {{1}, {1}});
  work.Join(0);
  work.Join(1);
  EXPECT_FALSE(work.GiveBack(*work.Take(0)));
}

TEST(JobListTest, SaysWhenAModelIsFinished) {
  JobList work(2, {{1, 2}});
  const Job first = *work.TakeAny();
  const Job second = *work.TakeAny();
  EXPECT_FALSE(work.Finish(second));
  EXPECT_TRUE(work.Finish(first));
}

TEST(JobListTest, JobsThatWereTakenAreNotDropped) {
  JobList work(2, {{1, 2}});
  const Job first = *work.TakeAny();
  work.Drop(0);
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(2, 1, 0, 1));
  EXPECT_TRUE(work.Finish(first));
}

TEST(JobListTest, ManySlotsTakeEachJobOnce) {
  constexpr int kModels = 50, kSlots = 4;
  JobList work(kModels, {{1, 2}});
  std::vector<std::set<int>> taken(kSlots);
  std::vector<std::thread> threads;
  for (int slot = 0; slot < kSlots; ++slot) {
    threads.emplace_back([&work, &mine = taken[slot]] {
      work.Join(0);
      while (const std::optional<Job> job = work.Take(0)) {
        mine.insert(job->index);
        work.Finish(*job);
      }
    });
  }
  work.WaitUntilFinished();
  std::set<int> all;
  size_t count = 0;
  for (int slot = 0; slot < kSlots; ++slot) {
    threads[slot].join();
    all.insert(taken[slot].begin(), taken[slot].end());
    count += taken[slot].size();
  }
  EXPECT_EQ(all.size(), 2u * kModels);
  EXPECT_EQ(count, all.size());
}

}  // namespace
}  // namespace assay::suites
