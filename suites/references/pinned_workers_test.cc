#include "suites/references/pinned_workers.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/device/cpu/cpu_affinity.h"

namespace assay::suites {
namespace {

using runtime::AllowedCpus;
using runtime::AllowedCpusOf;
using runtime::AssignCpus;

// A library with threads that wait until they are stopped.
class Library {
 public:
  ~Library() { Stop(); }

  // Starts a thread and returns its id.
  pid_t Start() {
    pid_t id = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    threads_.emplace_back([this, &id] {
      std::unique_lock<std::mutex> lock(mutex_);
      id = static_cast<pid_t>(syscall(SYS_gettid));
      changed_.notify_all();
      changed_.wait(lock, [this] { return stop_; });
    });
    changed_.wait(lock, [&id] { return id != 0; });
    return id;
  }

  void Stop() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

// Keeps the calling thread on one processor, so that the assignment is known.
class OnOneCpu {
 public:
  OnOneCpu() : before_(AllowedCpus()) {
    cpu_ = before_.empty() ? -1 : before_.front();
    EXPECT_TRUE(runtime::SetAllowedCpus(pthread_self(), {cpu_}));
  }
  ~OnOneCpu() { runtime::SetAllowedCpus(pthread_self(), before_); }
  int cpu() const { return cpu_; }

 private:
  const std::vector<int> before_;
  int cpu_;
};

TEST(PinnedWorkersTest, PinsWorkersAsThePoolDoes) {
  const std::vector<int> cpus = AllowedCpus();
  ASSERT_FALSE(cpus.empty());
  PinnedWorkers workers;
  Library older, library;
  const pid_t stranger = older.Start();
  std::vector<pid_t> ids;
  for (int i = 0; i < 3; ++i) {
    ids.push_back(workers.Watch([&] { return library.Start(); }));
  }
  const OnOneCpu here;
  for (const int num_threads : {4, 2, 3}) {
    EXPECT_TRUE(workers.Pin(num_threads));
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(
          AllowedCpusOf(ids[i]),
          AssignCpus(cpus, here.cpu(), 1 + i % (num_threads - 1), num_threads))
          << "worker " << i << " of " << num_threads << " threads";
    }
  }
  EXPECT_EQ(AllowedCpusOf(stranger), cpus);
}

TEST(PinnedWorkersTest, PinsThreadsThatAppearLater) {
  const std::vector<int> cpus = AllowedCpus();
  PinnedWorkers workers;
  Library library;
  const OnOneCpu here;
  workers.Watch([&] { return library.Start(); });
  EXPECT_TRUE(workers.Pin(3));
  const pid_t late = workers.Watch([&] { return library.Start(); });
  EXPECT_TRUE(workers.Pin(3));
  EXPECT_EQ(AllowedCpusOf(late), AssignCpus(cpus, here.cpu(), 2, 3));
}

TEST(PinnedWorkersTest, ForgetsWorkersThatHaveEnded) {
  PinnedWorkers workers;
  Library library;
  workers.Watch([&] { return library.Start(); });
  EXPECT_TRUE(workers.Pin(2));
  workers.Watch([&] {
    library.Stop();
    return true;
  });
  EXPECT_TRUE(workers.Pin(2));
  EXPECT_TRUE(workers.Pin(3));
}

TEST(PinnedWorkersTest, OneThreadHasNoWorkers) {
  const std::vector<int> cpus = AllowedCpus();
  PinnedWorkers workers;
  Library library;
  const pid_t id = workers.Watch([&] { return library.Start(); });
  EXPECT_TRUE(workers.Pin(1));
  EXPECT_EQ(AllowedCpusOf(id), cpus);
}

TEST(ThreadIdsTest, ListsTheCallingThread) {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  const std::vector<pid_t> ids = ThreadIds();
  EXPECT_NE(std::find(ids.begin(), ids.end(), self), ids.end());
}

}  // namespace
}  // namespace assay::suites
