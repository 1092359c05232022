// ThreadPool: a work-stealing thread pool for the parallel loops of kernels
// (runtime/abi). The calling thread is one of its threads.
//
// ParallelFor(extent, …) splits [0, extent) into n = min(8 * threads, extent)
// contiguous chunks: chunk i is [extent*i/n, extent*(i+1)/n). The split depends
// on nothing else, so a kernel sees the same chunks in every run. Each thread
// gets a queue of consecutive chunks, which preserves cache locality from one
// loop to the next. A thread whose queue is empty steals chunks from the back
// of the other queues. Hence a thread that is descheduled or runs on a slower
// core delays the loop by at most one chunk.
//
// Workers are never placed on the caller's CPU (cpu_affinity.h) and stay within
// the affinity mask of the thread that created the pool. The affinity of the
// caller is never changed.
//
// Waiting does not monopolise a CPU: an idle worker yields for at most
// Options::spin_nanos and then blocks in a futex until the next loop, and so
// does the caller while it waits for the last chunks. Several pools or
// processes on the same CPUs lose fairness but not progress.
//
// Nested and concurrent calls are safe: a ParallelFor called from within a
// chunk runs as a single chunk on the calling thread, and concurrent calls from
// several threads are serialised.
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

namespace assay::runtime {

class ThreadPool {
 public:
  struct Options {
    // Number of threads including the caller; 0 means UsableCpuCount().
    int num_threads = 0;
    // How long an idle thread polls for work before it blocks. A futex wake
    // takes about 50 us, which is far longer than the gap between two kernels.
    int64_t spin_nanos = 100000;
  };

  // Returns an error if the system cannot create the threads.
  static absl::StatusOr<std::unique_ptr<ThreadPool>> Create(
      const Options& options);
  // Joins the workers. No ParallelFor may be running.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const { return num_threads_; }

  // Runs body(begin, end, closure) for every chunk and returns after the last
  // one has finished: 0, or the first non-zero value that a body returned. All
  // chunks run even if one of them fails. If extent <= 0, nothing runs.
  int32_t ParallelFor(int32_t extent, AssayParallelBody body, void* closure);

 private:
  static constexpr int kChunksPerThread = 8;

  // The chunks assigned to one thread, aligned to a cache line to avoid false
  // sharing. taken[i] is the number of the last loop in which chunk i was
  // taken.
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
  void TryChunk(uint64_t loop, int thread, int i);
  void RunChunk(int chunk);
  void FinishChunk();
  void WaitUntilDone();

  const int num_threads_;
  const int64_t spin_nanos_;

  std::mutex callers_;  // serialises loops

  const std::vector<int> cpus_;
  int caller_cpu_ = -1;  // the CPU of the caller when workers were last placed

  // The current loop. Written only while no chunk is available, and used only
  // by threads that own one of its chunks; atomic because a late worker may
  // read these fields at any time.
  std::atomic<AssayParallelBody> body_{nullptr};
  std::atomic<void*> closure_{nullptr};
  std::atomic<int32_t> extent_{0};
  std::atomic<int32_t> num_chunks_{0};
  std::atomic<int32_t> error_{0};
  std::unique_ptr<ChunkQueue[]> queues_;

  alignas(64) std::atomic<uint64_t> loop_{0};  // number of loops started
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
