// ThreadPool: a work-stealing thread pool for the parallel loops of kernels
// (runtime/abi). The thread that calls ParallelFor() executes chunks like the
// other threads, which are called workers.
//
// ParallelFor(extent, …) splits [0, extent) into n = min(8 * threads, extent)
// contiguous chunks: chunk i is [extent*i/n, extent*(i+1)/n). A pool of one
// thread runs the whole range as one chunk. The chunks depend only on the
// extent and the number of threads, so they are the same in every run. Each
// thread has a queue of consecutive chunks. In successive loops, a thread
// therefore processes about the same part of the range and finds the data of
// this part in its caches. A thread whose queue is empty steals chunks from the
// back of the other queues. A thread that is descheduled, or runs on a slower
// core, therefore delays the loop by at most one chunk.
//
// Workers are not placed on the CPU of the caller, unless there are more
// threads than CPUs (cpu_affinity.h). They stay within the affinity mask of the
// thread that created the pool. The affinity of the caller is never changed.
//
// A waiting thread does not occupy a CPU for long: an idle worker repeatedly
// yields for at most Options::spin_nanos and then blocks in a futex until the
// next loop. The caller waits in the same way for the last chunks of a loop. If
// several pools or processes share CPUs, CPU time may be divided unfairly, but
// all of them make progress.
//
// Nested and concurrent calls are safe. A ParallelFor() that is called from
// within a chunk runs as a single chunk on the calling thread. Concurrent calls
// from several threads are serialised, except calls that run as a single chunk.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_THREAD_POOL_H_
#define ASSAY_RUNTIME_DEVICE_CPU_THREAD_POOL_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/abi/abi.h"
#include "runtime/device/cpu/chunk_event.h"

namespace assay::runtime {

class ThreadPool {
 public:
  struct Options {
    // Number of threads including the caller; 0 means UsableCpuCount().
    int num_threads = 0;
    // Time for which an idle thread polls for work before it blocks. Waking a
    // blocked thread takes about 50 us, far longer than the gap between two
    // kernels.
    int64_t spin_nanos = 100000;
  };

  // Returns InvalidArgument if the number of threads is negative or exceeds
  // 1024, and ResourceExhausted if the system cannot create the threads.
  static absl::StatusOr<std::unique_ptr<ThreadPool>> Create(
      const Options& options);
  // Joins the workers. No ParallelFor may be running.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const { return num_threads_; }

  // Runs body(begin, end, closure) for every chunk and returns after the last
  // chunk has finished. Returns 0, or the first non-zero value that a call of
  // `body` returned. All chunks run even if one of them fails. If extent <= 0,
  // nothing runs.
  int32_t ParallelFor(int32_t extent, AssayParallelBody body, void* closure);

  // After StartTrace(), each thread records the chunks that it executes, but at
  // most kMaxTracedChunks. StopTrace() ends the recording and returns the
  // chunks, sorted by thread and time. Recording reads the clock twice per
  // chunk. Neither function may be called while a ParallelFor() is running.
  static constexpr size_t kMaxTracedChunks = size_t{1} << 16;
  void StartTrace();
  std::vector<ChunkEvent> StopTrace();

 private:
  static constexpr int kChunksPerThread = 8;

  // The chunks assigned to one thread, aligned to a cache line to avoid false
  // sharing. taken[i] is the sequence number of the last loop in which chunk i
  // of this queue was taken.
  struct alignas(64) ChunkQueue {
    std::array<std::atomic<uint64_t>, kChunksPerThread> taken{};
  };

  explicit ThreadPool(const Options& options);

  void PlaceWorkers();
  void WorkerMain(int index);
  bool HasWork(uint64_t done_loop) const;
  void SleepForWork(uint64_t done_loop);
  void WakeSleepers(int count);
  void WorkOn(uint64_t loop, int thread);
  void TryChunk(uint64_t loop, int thread, int owner, int i);
  void RunChunk(uint64_t loop, int thread, int chunk);
  int32_t RunTraced(ChunkEvent event, AssayParallelBody body, void* closure);
  void FinishChunk();
  void WaitUntilDone();

  const int num_threads_;
  const int64_t spin_nanos_;

  std::mutex callers_;  // serialises loops

  const std::vector<int> cpus_;
  int caller_cpu_ = -1;  // the CPU of the caller when workers were last placed

  // Fields of the current loop. The caller sets them while no chunk can be
  // taken. A worker reads them only after it has taken a chunk of the loop.
  std::atomic<AssayParallelBody> body_{nullptr};
  std::atomic<void*> closure_{nullptr};
  std::atomic<int32_t> extent_{0};
  std::atomic<int32_t> num_chunks_{0};
  std::atomic<int32_t> error_{0};
  std::unique_ptr<ChunkQueue[]> queues_;

  alignas(64) std::atomic<uint64_t> loop_{0};  // number of loops started
  // True between StartTrace() and StopTrace(). Each thread writes its own
  // vector of events.
  std::atomic<bool> tracing_{false};
  std::vector<std::vector<ChunkEvent>> events_;

  // Number of unfinished chunks. The caller blocks on this word.
  alignas(64) std::atomic<uint32_t> unfinished_{0};
  std::atomic<bool> caller_sleeps_{false};

  // Workers block on wakes_, which is incremented before every wake.
  std::atomic<bool> stop_{false};
  std::atomic<int> sleepers_{0};
  std::atomic<uint32_t> wakes_{0};

  std::vector<std::thread> workers_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_THREAD_POOL_H_
