#include "runtime/device/cpu/cpu_affinity.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <set>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

using Cpus = std::vector<int>;

TEST(AssignCpusTest, AssignsOneCpuPerThread) {
  EXPECT_EQ(AssignCpus({0, 1}, 0, 1, 2), (Cpus{1}));
  EXPECT_EQ(AssignCpus({0, 1}, 1, 1, 2), (Cpus{0}));
  EXPECT_EQ(AssignCpus({2, 5, 7, 9}, 7, 0, 4), (Cpus{7}));
  EXPECT_EQ(AssignCpus({2, 5, 7, 9}, 7, 1, 4), (Cpus{9}));
  EXPECT_EQ(AssignCpus({2, 5, 7, 9}, 7, 2, 4), (Cpus{2}));
}

TEST(AssignCpusTest, AssignsSeveralCpusIfThereAreFewerThreads) {
  EXPECT_EQ(AssignCpus({0, 1, 2, 3, 4}, 3, 1, 2), (Cpus{1, 4}));
  EXPECT_EQ(AssignCpus({0, 1, 2, 3, 4}, 3, 0, 2), (Cpus{0, 2, 3}));
}

TEST(AssignCpusTest, SharesCpusIfThereAreMoreThreads) {
  EXPECT_EQ(AssignCpus({4, 6}, 6, 2, 5), (Cpus{6}));
  EXPECT_EQ(AssignCpus({4, 6}, 6, 3, 5), (Cpus{4}));
  EXPECT_EQ(AssignCpus({3}, 3, 1, 2), (Cpus{3}));
}

TEST(AssignCpusTest, AcceptsCallerOutsideTheSet) {
  EXPECT_EQ(AssignCpus({0, 1}, 17, 1, 2), (Cpus{1}));
  EXPECT_EQ(AssignCpus({}, 0, 1, 2), Cpus{});
}

TEST(AssignCpusTest, CoversAllCpus) {
  for (int threads = 1; threads <= 9; ++threads) {
    for (int caller = 0; caller < 6; ++caller) {
      std::multiset<int> all;
      for (int t = 0; t < threads; ++t) {
        for (const int cpu : AssignCpus({0, 1, 2, 3, 4, 5}, caller, t, threads))
          all.insert(cpu);
      }
      EXPECT_EQ(all.size(), threads > 6 ? threads : 6u);
      EXPECT_EQ(std::set<int>(all.begin(), all.end()).size(), 6u)
          << threads << " threads, caller on " << caller;
    }
  }
}

TEST(AllowedCpusTest, ReadsBackTheMaskThatWasSet) {
  const Cpus before = AllowedCpus();
  ASSERT_FALSE(before.empty());
  std::thread([&] {
    for (const int cpu : before) {
      ASSERT_TRUE(SetAllowedCpus(pthread_self(), {cpu}));
      EXPECT_EQ(AllowedCpus(), Cpus{cpu});
      EXPECT_EQ(sched_getcpu(), cpu);
    }
    EXPECT_FALSE(SetAllowedCpus(pthread_self(), {}));
  }).join();
  EXPECT_EQ(AllowedCpus(), before);
}

TEST(AllowedCpusTest, SetsTheMaskOfAThreadById) {
  const Cpus before = AllowedCpus();
  ASSERT_FALSE(before.empty());
  std::thread([&] {
    const auto tid = static_cast<pid_t>(syscall(SYS_gettid));
    ASSERT_TRUE(SetAllowedCpusOf(tid, {before.back()}));
    EXPECT_EQ(AllowedCpusOf(tid), Cpus{before.back()});
    EXPECT_EQ(AllowedCpus(), Cpus{before.back()});
    EXPECT_FALSE(SetAllowedCpusOf(tid, {}));
  }).join();
  EXPECT_EQ(AllowedCpus(), before);
  constexpr pid_t kNoThread = 1 << 30;  // above the largest id
  EXPECT_FALSE(SetAllowedCpusOf(kNoThread, before));
  EXPECT_EQ(errno, ESRCH);
}

TEST(ScopedCpuTest, EqualSeedsDrawTheSameCpu) {
  const Cpus before = AllowedCpus();
  std::set<int> drawn;
  for (uint64_t seed = 1; seed <= 64; ++seed) {
    int first = -1;
    for (int i = 0; i < 2; ++i) {
      const ScopedCpu cpu(seed);
      const Cpus now = AllowedCpus();
      ASSERT_EQ(now.size(), 1u);
      if (i == 0) first = now[0];
      EXPECT_EQ(now[0], first);
      drawn.insert(now[0]);
    }
    EXPECT_EQ(AllowedCpus(), before);
  }
  if (before.size() <= 4) EXPECT_EQ(drawn.size(), before.size());
}

}  // namespace
}  // namespace assay::runtime
