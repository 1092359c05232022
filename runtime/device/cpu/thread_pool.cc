// How a loop is published, and why a late worker does no harm.
//
// Loops are numbered. Each thread is dealt a hand of as many shares as any
// loop gives it, and `taken` of a share holds the number of the last loop in
// which it was taken; between loops every entry equals loop_. To start loop n
// the caller writes the loop's fields, marks the shares that n does not have as
// taken, and stores loop_ = n. A share of loop n is taken by changing its entry
// from n - 1 to n, which succeeds once. A worker that still believes
// in an earlier loop finds every entry beyond its number and takes nothing; one
// that took a share of n read fields of n, because they are not written again
// before that share is finished.

#include "runtime/device/cpu/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "runtime/base/clock.h"
#include "runtime/device/cpu/cpu_affinity.h"
#include "runtime/device/cpu/cpu_count.h"
#include "runtime/device/cpu/futex.h"

namespace assay::runtime {
namespace {

constexpr int kMaxThreads = 1024;

// Set while this thread runs a share of any pool.
thread_local bool inside_share = false;

// Waits for `ready()`, offering the processor to others, for at most
// `nanos`. Returns what ready() said last.
template <typename Ready>
bool YieldUntil(Ready ready, int64_t nanos) {
  if (ready()) return true;
  if (nanos <= 0) return false;
  const int64_t deadline = MonotonicNanos() + nanos;
  do {
    for (int i = 0; i < 8; ++i) {
      if (ready()) return true;
      sched_yield();
    }
  } while (MonotonicNanos() < deadline);
  return ready();
}

// The shares of `thread` are FirstShare(thread) to FirstShare(thread + 1).
int FirstShare(int thread, int num_shares, int num_threads) {
  return static_cast<int>((int64_t{num_shares} * thread + num_threads - 1) /
                          num_threads);
}

}  // namespace

ThreadPool::ThreadPool(const Options& options)
    : num_threads_(options.num_threads > 0 ? options.num_threads
                                           : UsableCpuCount()),
      spin_nanos_(options.spin_nanos),
      cpus_(AllowedCpus()),
      hands_(std::make_unique<Hand[]>(num_threads_)) {}

absl::StatusOr<std::unique_ptr<ThreadPool>> ThreadPool::Create(
    const Options& options) {
  if (options.num_threads < 0 || options.num_threads > kMaxThreads) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot run on ", options.num_threads, " threads; between 1 and ",
        kMaxThreads, " are possible, 0 chooses"));
  }
  std::unique_ptr<ThreadPool> pool(new ThreadPool(options));
  for (int i = 1; i < pool->num_threads_; ++i) {
    try {
      pool->workers_.emplace_back([p = pool.get(), i] { p->WorkerMain(i); });
    } catch (const std::system_error& error) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the system gives only ", i, " of ", pool->num_threads_,
                       " threads: ", error.what()));
    }
  }
  return pool;
}

ThreadPool::~ThreadPool() {
  stop_.store(true);
  WakeSleepers(num_threads_);
  for (std::thread& worker : workers_) worker.join();
}

int32_t ThreadPool::ParallelFor(int32_t extent, AssayParallelBody body,
                                void* closure) {
  if (extent <= 0) return 0;
  if (num_threads_ == 1 || extent == 1 || inside_share) {
    return body(0, extent, closure);
  }
  const std::lock_guard<std::mutex> lock(callers_);
  PlaceWorkers();
  const int num_shares = std::min(num_threads_ * kSharesPerThread, extent);
  const uint64_t loop = loop_.load(std::memory_order_relaxed) + 1;
  body_.store(body, std::memory_order_relaxed);
  closure_.store(closure, std::memory_order_relaxed);
  extent_.store(extent, std::memory_order_relaxed);
  num_shares_.store(num_shares, std::memory_order_relaxed);
  error_.store(0, std::memory_order_relaxed);
  unfinished_.store(num_shares, std::memory_order_relaxed);
  for (int t = 0; t < num_threads_; ++t) {
    const int dealt = FirstShare(t + 1, num_shares, num_threads_) -
                      FirstShare(t, num_shares, num_threads_);
    for (int i = dealt; i < kSharesPerThread; ++i) {
      hands_[t].taken[i].store(loop, std::memory_order_relaxed);
    }
  }
  loop_.store(loop);
  WakeSleepers(std::min(num_threads_, num_shares) - 1);
  WorkOn(loop, /*thread=*/0);
  WaitUntilDone();
  return error_.load(std::memory_order_relaxed);
}

// Costs some 10 ns unless the caller has moved. A system that refuses leaves
// the workers where they are, which is slower and no less right.
void ThreadPool::PlaceWorkers() {
  const int cpu = sched_getcpu();
  if (cpu == caller_cpu_) return;
  caller_cpu_ = cpu;
  for (int i = 1; i < num_threads_; ++i) {
    SetAllowedCpus(workers_[i - 1].native_handle(),
                   DealtCpus(cpus_, cpu, i, num_threads_));
  }
}

void ThreadPool::WorkerMain(int index) {
  uint64_t done_loop = 0;
  while (true) {
    if (!YieldUntil([&] { return HasWork(done_loop); }, spin_nanos_)) {
      SleepForWork(done_loop);
    }
    if (stop_.load()) return;
    done_loop = loop_.load();
    WorkOn(done_loop, index);
  }
}

// Whether there is a loop after `done_loop`, or the end has come.
bool ThreadPool::HasWork(uint64_t done_loop) const {
  return loop_.load() != done_loop || stop_.load();
}

void ThreadPool::SleepForWork(uint64_t done_loop) {
  sleepers_.fetch_add(1);
  while (true) {
    const uint32_t wakes = wakes_.load();
    if (HasWork(done_loop)) break;
    FutexWait(&wakes_, wakes);
  }
  sleepers_.fetch_sub(1);
}

// Sequentially consistent throughout, as is what precedes it: either a worker
// about to sleep sees the new loop, or this thread sees the sleeper.
void ThreadPool::WakeSleepers(int count) {
  if (sleepers_.load() == 0) return;
  wakes_.fetch_add(1);
  FutexWake(&wakes_, count);
}

// The thread's own shares in order, then those of the others, who work towards
// their ends.
void ThreadPool::WorkOn(uint64_t loop, int thread) {
  for (int i = 0; i < kSharesPerThread; ++i) TryShare(loop, thread, i);
  for (int other = 1; other < num_threads_; ++other) {
    const int victim = (thread + other) % num_threads_;
    for (int i = kSharesPerThread; i-- > 0;) TryShare(loop, victim, i);
  }
}

// Runs share i of `thread` unless somebody took it.
void ThreadPool::TryShare(uint64_t loop, int thread, int i) {
  std::atomic<uint64_t>& taken = hands_[thread].taken[i];
  uint64_t not_taken = loop - 1;
  if (taken.load(std::memory_order_relaxed) != not_taken ||
      !taken.compare_exchange_strong(not_taken, loop,
                                     std::memory_order_acq_rel)) {
    return;
  }
  const int num_shares = num_shares_.load(std::memory_order_relaxed);
  RunShare(FirstShare(thread, num_shares, num_threads_) + i);
  FinishShare();
}

void ThreadPool::RunShare(int share) {
  const int64_t extent = extent_.load(std::memory_order_relaxed);
  const int64_t num_shares = num_shares_.load(std::memory_order_relaxed);
  const int64_t begin = extent * share / num_shares;
  const int64_t end = extent * (share + 1) / num_shares;
  inside_share = true;
  const int32_t error = body_.load(std::memory_order_relaxed)(
      static_cast<int32_t>(begin), static_cast<int32_t>(end),
      closure_.load(std::memory_order_relaxed));
  inside_share = false;
  int32_t none = 0;
  if (error != 0) error_.compare_exchange_strong(none, error);
}

// The last share's thread wakes the caller if that has gone to sleep; either
// it sees the flag, or the caller sees that nothing is left.
void ThreadPool::FinishShare() {
  if (unfinished_.fetch_sub(1) > 1) return;
  if (caller_sleeps_.load()) FutexWake(&unfinished_, 1);
}

void ThreadPool::WaitUntilDone() {
  if (YieldUntil([&] { return unfinished_.load() == 0; }, spin_nanos_)) return;
  caller_sleeps_.store(true);
  while (const uint32_t unfinished = unfinished_.load()) {
    FutexWait(&unfinished_, unfinished);
  }
  caller_sleeps_.store(false);
}

}  // namespace assay::runtime
