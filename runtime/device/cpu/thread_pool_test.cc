#include "runtime/device/cpu/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/device/cpu/chunk_event.h"
#include "runtime/device/cpu/cpu_affinity.h"
#include "runtime/device/cpu/cpu_count.h"

namespace assay::runtime {
namespace {

std::unique_ptr<ThreadPool> MakePool(int threads, int64_t spin_nanos = 100000) {
  absl::StatusOr<std::unique_ptr<ThreadPool>> pool =
      ThreadPool::Create({threads, spin_nanos});
  EXPECT_TRUE(pool.ok()) << pool.status();
  return *std::move(pool);
}

// Collects the chunks of a loop.
struct Chunks {
  std::mutex mutex;
  std::vector<std::pair<int32_t, int32_t>> ranges;
  std::set<std::thread::id> threads;

  static int32_t Body(int32_t begin, int32_t end, void* closure) {
    Chunks* self = static_cast<Chunks*>(closure);
    const std::lock_guard<std::mutex> lock(self->mutex);
    self->ranges.emplace_back(begin, end);
    self->threads.insert(std::this_thread::get_id());
    return 0;
  }
};

using Ranges = std::vector<std::pair<int32_t, int32_t>>;

Ranges Cut(ThreadPool& pool, int32_t extent) {
  Chunks chunks;
  EXPECT_EQ(pool.ParallelFor(extent, Chunks::Body, &chunks), 0);
  std::sort(chunks.ranges.begin(), chunks.ranges.end());
  return chunks.ranges;
}

// Records the CPUs on which the workers of a loop ran.
struct Processors {
  std::mutex mutex;
  std::set<int> workers;
  std::thread::id caller;
  std::set<std::thread::id> seen;

  // Returns after both threads have started a chunk.
  static int32_t Body(int32_t, int32_t, void* closure) {
    Processors* self = static_cast<Processors*>(closure);
    {
      const std::lock_guard<std::mutex> lock(self->mutex);
      self->seen.insert(std::this_thread::get_id());
      if (std::this_thread::get_id() != self->caller) {
        self->workers.insert(sched_getcpu());
      }
    }
    while (true) {
      const std::lock_guard<std::mutex> lock(self->mutex);
      if (self->seen.size() == 2) return 0;
    }
  }
};

TEST(ThreadPoolTest, WorkersAvoidTheCallersCpu) {
  const std::vector<int> cpus = AllowedCpus();
  if (cpus.size() < 2) GTEST_SKIP() << "needs two CPUs";
  std::unique_ptr<ThreadPool> pool = MakePool(2, /*spin_nanos=*/0);
  std::thread([&] {
    // The worker moves away when the caller moves.
    for (const int cpu : {cpus[0], cpus[1], cpus[0]}) {
      ASSERT_TRUE(SetAllowedCpus(pthread_self(), {cpu}));
      Processors processors;
      processors.caller = std::this_thread::get_id();
      pool->ParallelFor(2, Processors::Body, &processors);
      EXPECT_EQ(processors.workers.size(), 1u);
      EXPECT_EQ(processors.workers.count(cpu), 0u);
    }
  }).join();
}

TEST(ThreadPoolTest, SplitsEvenlyAndDeterministically) {
  const auto pool = MakePool(2);
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(Cut(*pool, 20), (Ranges{{0, 1},
                                      {1, 2},
                                      {2, 3},
                                      {3, 5},
                                      {5, 6},
                                      {6, 7},
                                      {7, 8},
                                      {8, 10},
                                      {10, 11},
                                      {11, 12},
                                      {12, 13},
                                      {13, 15},
                                      {15, 16},
                                      {16, 17},
                                      {17, 18},
                                      {18, 20}}));
    ASSERT_EQ(Cut(*pool, 3), (Ranges{{0, 1}, {1, 2}, {2, 3}}));
    ASSERT_EQ(Cut(*pool, 1), (Ranges{{0, 1}}));
    ASSERT_EQ(Cut(*pool, 0), Ranges{});
    ASSERT_EQ(Cut(*pool, -5), Ranges{});
  }
  const int32_t most = 2147483647;
  const Ranges cut = Cut(*pool, most);
  ASSERT_EQ(cut.size(), 16u);
  int32_t end = 0;
  for (const auto& [begin, next] : cut) {
    EXPECT_EQ(begin, end);
    EXPECT_NEAR(next - begin, most / 16, 1);
    end = next;
  }
  EXPECT_EQ(end, most);
}

TEST(ThreadPoolTest, SingleThreadIsTheCaller) {
  const auto pool = MakePool(1);
  EXPECT_EQ(pool->num_threads(), 1);
  Chunks chunks;
  pool->ParallelFor(7, Chunks::Body, &chunks);
  EXPECT_EQ(chunks.ranges, (Ranges{{0, 7}}));
  EXPECT_EQ(chunks.threads, (std::set{std::this_thread::get_id()}));
}

TEST(ThreadPoolTest, TracesChunksOfAllThreads) {
  for (const int threads : {1, 3}) {
    const std::unique_ptr<ThreadPool> pool = MakePool(threads);
    Cut(*pool, 10);  // not traced
    pool->StartTrace();
    const Ranges first = Cut(*pool, 100);
    const Ranges second = Cut(*pool, 1);
    std::vector<ChunkEvent> events = pool->StopTrace();
    Cut(*pool, 10);
    EXPECT_TRUE(pool->StopTrace().empty());
    Ranges traced;
    std::set<uint64_t> loops;
    for (const ChunkEvent& event : events) {
      EXPECT_LE(event.start_nanos, event.end_nanos);
      EXPECT_TRUE(event.thread >= 0 && event.thread < threads);
      traced.push_back({event.begin, event.end});
      loops.insert(event.loop);
    }
    Ranges expected = first;
    expected.insert(expected.end(), second.begin(), second.end());
    std::sort(expected.begin(), expected.end());
    std::sort(traced.begin(), traced.end());
    EXPECT_EQ(traced, expected);
    EXPECT_EQ(loops.size(), threads == 1 ? 1u : 2u);
  }
}

TEST(ThreadPoolTest, DefaultIsUsableCpuCount) {
  EXPECT_EQ(MakePool(0)->num_threads(), UsableCpuCount());
}

TEST(ThreadPoolTest, RejectsImpossibleThreadCounts) {
  const absl::Status status = ThreadPool::Create({-1, 0}).status();
  EXPECT_EQ(status.message(),
            "cannot run on -1 threads; between 1 and 1024 are possible, 0 "
            "chooses");
  EXPECT_FALSE(ThreadPool::Create({1 << 30, 0}).ok());
}

struct Sum {
  std::vector<int64_t> values;
  std::atomic<int64_t> total{0};

  static int32_t Body(int32_t begin, int32_t end, void* closure) {
    Sum* self = static_cast<Sum*>(closure);
    int64_t sum = 0;
    for (int32_t i = begin; i < end; ++i) {
      sum += self->values[i];
      self->values[i] = -self->values[i];
    }
    self->total += sum;
    return 0;
  }
};

// The caller and the workers pass non-atomic memory back and forth; under
// ThreadSanitizer this detects a loop that is published or finished too early.
void SumOften(int threads, int64_t spin_nanos, int loops) {
  const auto pool = MakePool(threads, spin_nanos);
  Rng rng(threads);
  Sum sum;
  for (int loop = 0; loop < loops; ++loop) {
    const int32_t extent = static_cast<int32_t>(rng.UniformInt(1, 40));
    sum.values.assign(extent, loop);
    sum.total = 0;
    ASSERT_EQ(pool->ParallelFor(extent, Sum::Body, &sum), 0);
    ASSERT_EQ(sum.total, int64_t{extent} * loop);
    for (int64_t v : sum.values) ASSERT_EQ(v, -loop);
  }
}

TEST(ThreadPoolTest, RunsManyShortLoops) {
  SumOften(2, 100000, 5000);
  SumOften(3, 100000, 2000);
}
TEST(ThreadPoolTest, RunsManyShortLoopsWithoutSpinning) {
  SumOften(3, 0, 2000);
}
TEST(ThreadPoolTest, RunsMoreThreadsThanCpus) { SumOften(9, 1000, 500); }

TEST(ThreadPoolTest, WakesBlockedWorkers) {
  const auto pool = MakePool(3, /*spin_nanos=*/0);
  for (int i = 0; i < 20; ++i) {
    Clock::Monotonic()->SleepNanos(1000000);
    ASSERT_EQ(Cut(*pool, 3).size(), 3u);
  }
}

TEST(ThreadPoolTest, RunsAllChunksAfterAnError) {
  const auto pool = MakePool(4);
  struct Closure {
    std::atomic<int> runs{0};
  } closure;
  const auto body = [](int32_t begin, int32_t, void* c) -> int32_t {
    ++static_cast<Closure*>(c)->runs;
    return begin == 2 ? 17 : 0;
  };
  EXPECT_EQ(pool->ParallelFor(4, body, &closure), 17);
  EXPECT_EQ(closure.runs, 4);
  // The next loop does not return the old error.
  EXPECT_EQ(Cut(*pool, 4).size(), 4u);
}

TEST(ThreadPoolTest, RunsNestedLoopsAsOneChunk) {
  const auto pool = MakePool(4);
  struct Closure {
    ThreadPool* pool;
    std::atomic<int> inner{0};
  } closure;
  closure.pool = pool.get();
  const auto inner = [](int32_t begin, int32_t end, void* c) -> int32_t {
    EXPECT_EQ(begin, 0);
    static_cast<Closure*>(c)->inner += end;
    return 0;
  };
  struct Bodies {
    AssayParallelBody inner;
    Closure* closure;
  } bodies{inner, &closure};
  const auto outer = [](int32_t, int32_t, void* c) -> int32_t {
    Bodies* b = static_cast<Bodies*>(c);
    return b->closure->pool->ParallelFor(100, b->inner, b->closure);
  };
  EXPECT_EQ(pool->ParallelFor(4, outer, &bodies), 0);
  EXPECT_EQ(closure.inner, 400);
}

TEST(ThreadPoolTest, SerialisesConcurrentCallers) {
  const auto pool = MakePool(2);
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t) {
    callers.emplace_back([&] {
      for (int i = 0; i < 300; ++i) ASSERT_EQ(Cut(*pool, 8).size(), 8u);
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(ThreadPoolTest, StealsChunksFromASlowThread) {
  const auto pool = MakePool(2);
  struct Closure {
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> by_caller{0};
    std::atomic<int> by_worker{0};
  } closure;
  const auto body = [](int32_t, int32_t, void* c) -> int32_t {
    Closure* self = static_cast<Closure*>(c);
    if (std::this_thread::get_id() == self->caller) {
      while (self->by_worker == 0) sched_yield();
      ++self->by_caller;
    } else {
      ++self->by_worker;
      while (self->by_caller < 15) sched_yield();
    }
    return 0;
  };
  EXPECT_EQ(pool->ParallelFor(16, body, &closure), 0);
  EXPECT_EQ(closure.by_caller, 15);
  EXPECT_EQ(closure.by_worker, 1);
}

// A signal handler that blocks a worker stands for a worker that is
// descheduled.
std::atomic<bool> worker_held{false};
std::atomic<bool> release_worker{false};

void HoldWorker(int) {
  worker_held = true;
  while (!release_worker) Clock::Monotonic()->SleepNanos(100000);
}

TEST(ThreadPoolTest, CallerStealsFromADescheduledWorker) {
  const auto pool = MakePool(2, /*spin_nanos=*/0);
  struct Closure {
    pthread_t caller = pthread_self();
    pthread_t worker = pthread_self();
    std::atomic<int> chunks{0};
  } closure;
  const auto body = [](int32_t, int32_t, void* c) -> int32_t {
    Closure* self = static_cast<Closure*>(c);
    if (pthread_equal(self->caller, pthread_self()) == 0) {
      self->worker = pthread_self();
    } else {
      // Leaves the other chunk to the worker, to learn its thread id.
      while (self->chunks == 0) sched_yield();
    }
    ++self->chunks;
    return 0;
  };
  ASSERT_EQ(pool->ParallelFor(2, body, &closure), 0);
  ASSERT_EQ(pthread_equal(closure.worker, closure.caller), 0);

  worker_held = false;
  release_worker = false;
  signal(SIGUSR1, HoldWorker);
  Clock::Monotonic()->SleepNanos(20000000);  // until the worker is blocked
  ASSERT_EQ(pthread_kill(closure.worker, SIGUSR1), 0);
  while (!worker_held) Clock::Monotonic()->SleepNanos(100000);
  EXPECT_EQ(Cut(*pool, 2).size(), 2u);
  EXPECT_EQ(Cut(*pool, 100).size(), 16u);
  release_worker = true;
}

}  // namespace
}  // namespace assay::runtime
