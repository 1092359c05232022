// How a loop is published, and why a late worker is harmless.
//
// Loops are numbered. A ChunkQueue has one entry for each of the
// kChunksPerThread chunks that a thread can be assigned; the entry is the
// number of the last loop in which this chunk was taken. Between loops all
// entries equal loop_. To start loop n, the caller writes the fields of the
// loop, marks the chunks that loop n does not have as taken, and stores
// loop_ = n. A thread takes a chunk of loop n by a compare-and-swap of its
// entry from n - 1 to n, which succeeds exactly once. A worker that still holds
// an earlier loop number finds no entry that equals its number minus one and
// takes nothing. A worker that took a chunk of loop n has read the fields of
// loop n, because they are not overwritten before that chunk has finished.

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

// True while this thread runs a chunk of any pool.
thread_local bool inside_chunk = false;

// Polls `ready()` and yields the CPU in between, for at most `nanos`. Returns
// the last value of ready().
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

// The chunks of `thread` are [FirstChunk(thread), FirstChunk(thread + 1)).
int FirstChunk(int thread, int num_chunks, int num_threads) {
  return static_cast<int>((int64_t{num_chunks} * thread + num_threads - 1) /
                          num_threads);
}

}  // namespace

ThreadPool::ThreadPool(const Options& options)
    : num_threads_(options.num_threads > 0 ? options.num_threads
                                           : UsableCpuCount()),
      spin_nanos_(options.spin_nanos),
      cpus_(AllowedCpus()),
      queues_(std::make_unique<ChunkQueue[]>(num_threads_)) {}

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
  if (inside_chunk) return body(0, extent, closure);
  if (num_threads_ == 1 || extent == 1) {
    return RunTraced({/*thread=*/0, /*loop=*/0, 0, extent}, body, closure);
  }
  const std::lock_guard<std::mutex> lock(callers_);
  PlaceWorkers();
  const int num_chunks = std::min(num_threads_ * kChunksPerThread, extent);
  const uint64_t loop = loop_.load(std::memory_order_relaxed) + 1;
  body_.store(body, std::memory_order_relaxed);
  closure_.store(closure, std::memory_order_relaxed);
  extent_.store(extent, std::memory_order_relaxed);
  num_chunks_.store(num_chunks, std::memory_order_relaxed);
  error_.store(0, std::memory_order_relaxed);
  unfinished_.store(num_chunks, std::memory_order_relaxed);
  for (int t = 0; t < num_threads_; ++t) {
    const int assigned = FirstChunk(t + 1, num_chunks, num_threads_) -
                         FirstChunk(t, num_chunks, num_threads_);
    for (int i = assigned; i < kChunksPerThread; ++i) {
      queues_[t].taken[i].store(loop, std::memory_order_relaxed);
    }
  }
  loop_.store(loop);
  WakeSleepers(std::min(num_threads_, num_chunks) - 1);
  WorkOn(loop, /*thread=*/0);
  WaitUntilDone();
  return error_.load(std::memory_order_relaxed);
}

// Takes about 10 ns if the caller has not migrated. If the system refuses to
// set an affinity, the worker keeps its old one: slower but correct.
void ThreadPool::PlaceWorkers() {
  const int cpu = sched_getcpu();
  if (cpu == caller_cpu_) return;
  caller_cpu_ = cpu;
  for (int i = 1; i < num_threads_; ++i) {
    SetAllowedCpus(workers_[i - 1].native_handle(),
                   AssignCpus(cpus_, cpu, i, num_threads_));
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

// Returns true if there is a loop after `done_loop` or the pool is stopping.
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

// These operations and the preceding store of loop_ are sequentially
// consistent: either a worker that is about to block sees the new loop, or this
// thread sees its increment of sleepers_.
void ThreadPool::WakeSleepers(int count) {
  if (sleepers_.load() == 0) return;
  wakes_.fetch_add(1);
  FutexWake(&wakes_, count);
}

// Runs the thread's own chunks from front to back, then steals from the back of
// the other queues.
void ThreadPool::WorkOn(uint64_t loop, int thread) {
  for (int i = 0; i < kChunksPerThread; ++i) TryChunk(loop, thread, thread, i);
  for (int other = 1; other < num_threads_; ++other) {
    const int victim = (thread + other) % num_threads_;
    for (int i = kChunksPerThread; i-- > 0;) TryChunk(loop, thread, victim, i);
  }
}

// Runs chunk i of the queue of `owner` on `thread`, which is the calling
// thread, unless it has been taken.
void ThreadPool::TryChunk(uint64_t loop, int thread, int owner, int i) {
  std::atomic<uint64_t>& taken = queues_[owner].taken[i];
  uint64_t not_taken = loop - 1;
  if (taken.load(std::memory_order_relaxed) != not_taken ||
      !taken.compare_exchange_strong(not_taken, loop,
                                     std::memory_order_acq_rel)) {
    return;
  }
  const int num_chunks = num_chunks_.load(std::memory_order_relaxed);
  RunChunk(loop, thread, FirstChunk(owner, num_chunks, num_threads_) + i);
  FinishChunk();
}

void ThreadPool::RunChunk(uint64_t loop, int thread, int chunk) {
  const int64_t extent = extent_.load(std::memory_order_relaxed);
  const int64_t num_chunks = num_chunks_.load(std::memory_order_relaxed);
  const int64_t begin = extent * chunk / num_chunks;
  const int64_t end = extent * (chunk + 1) / num_chunks;
  inside_chunk = true;
  const int32_t error = RunTraced(
      {thread, loop, static_cast<int32_t>(begin), static_cast<int32_t>(end)},
      body_.load(std::memory_order_relaxed),
      closure_.load(std::memory_order_relaxed));
  inside_chunk = false;
  int32_t none = 0;
  if (error != 0) error_.compare_exchange_strong(none, error);
}

// Runs the part of a loop that `event` describes, on this thread. If loops are
// traced, sets the times of `event` and records it.
int32_t ThreadPool::RunTraced(ChunkEvent event, AssayParallelBody body,
                              void* closure) {
  if (!tracing_.load(std::memory_order_relaxed)) {
    return body(event.begin, event.end, closure);
  }
  event.start_nanos = MonotonicNanos();
  const int32_t error = body(event.begin, event.end, closure);
  event.end_nanos = MonotonicNanos();
  std::vector<ChunkEvent>& events = events_[event.thread];
  if (events.size() < kMaxTracedChunks) events.push_back(event);
  return error;
}

// The threads see the new values, because they read loop_ before they take a
// chunk, and the caller of StopTrace() sees the events, because it has waited
// for the last chunk.
void ThreadPool::StartTrace() {
  events_.assign(num_threads_, {});
  for (std::vector<ChunkEvent>& events : events_) {
    events.reserve(kMaxTracedChunks);
  }
  tracing_.store(true, std::memory_order_relaxed);
}

std::vector<ChunkEvent> ThreadPool::StopTrace() {
  tracing_.store(false, std::memory_order_relaxed);
  std::vector<ChunkEvent> all;
  for (const std::vector<ChunkEvent>& events : events_) {
    all.insert(all.end(), events.begin(), events.end());
  }
  events_.clear();
  return all;
}

// The thread that finishes the last chunk wakes the caller if it is blocked.
// Either this thread sees caller_sleeps_, or the caller sees unfinished_ == 0.
void ThreadPool::FinishChunk() {
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
