// ThreadPool: runs the parallel loops of kernels (runtime/abi) on a fixed
// number of threads, the calling one among them.
//
// ParallelFor(extent, …) cuts [0, extent) into n = min(8 * threads, extent)
// contiguous shares: share i is [extent*i/n, extent*(i+1)/n). The cut depends
// on nothing else, so a kernel sees the same shares in every run. The shares
// are dealt to the threads in runs of neighbours, which keeps data in a
// thread's cache from one loop to the next; a thread that is done with its own
// takes, from the end, what another has not begun. So a thread that the system
// does not schedule, or that runs on a slower processor, holds up the others
// by one share at most.
//
// Workers keep off the processor that the caller is on (cpu_affinity.h), and
// stay within the processors that the pool's creator was allowed. The caller
// itself is never bound.
//
// Being a good neighbour: nobody waits by spinning for long. A worker without
// work yields the processor for at most Options::spin_nanos and then sleeps
// until the next loop; so does the caller while the last shares finish. Several
// pools, or processes, on the same processors lose fairness, not progress.
//
// Wrong uses that are made harmless: a loop started from inside a share runs
// alone, as one share, on the thread that started it; two threads that call
// ParallelFor at once take turns.
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
    // Threads that work on a loop, the caller included; 0 means
    // UsableCpuCount().
    int num_threads = 0;
    // How long a thread looks for work before it sleeps. Waking up costs some
    // 50 us, a pause between two kernels far less.
    int64_t spin_nanos = 100000;
  };

  // An error if the system does not give that many threads.
  static absl::StatusOr<std::unique_ptr<ThreadPool>> Create(
      const Options& options);
  // Waits for the workers; no ParallelFor may be running.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const { return num_threads_; }

  // Runs body(begin, end, closure) for every share and returns when all are
  // done: 0, or the first non-zero value that a body returned. Every share is
  // run, whatever the others return. Nothing runs if extent <= 0.
  int32_t ParallelFor(int32_t extent, AssayParallelBody body, void* closure);

 private:
  static constexpr int kSharesPerThread = 8;

  // The shares dealt to one thread, on a cache line of their own. Who took a
  // share: the number of the loop in which it was last taken.
  struct alignas(64) Hand {
    std::array<std::atomic<uint64_t>, kSharesPerThread> taken{};
  };

  explicit ThreadPool(const Options& options);

  void PlaceWorkers();
  void WorkerMain(int index);
  bool HasWork(uint64_t done_loop) const;
  void SleepForWork(uint64_t done_loop);
  void WakeSleepers(int count);
  void WorkOn(uint64_t loop, int thread);
  void TryShare(uint64_t loop, int thread, int i);
  void RunShare(int share);
  void FinishShare();
  void WaitUntilDone();

  const int num_threads_;
  const int64_t spin_nanos_;

  std::mutex callers_;  // one loop at a time

  const std::vector<int> cpus_;
  int caller_cpu_ = -1;  // for which the workers were placed

  // The loop being run. Written while no share is there to be taken, and read
  // for use only by who holds a share of it; atomic because a late worker may
  // look at them at any time.
  std::atomic<AssayParallelBody> body_{nullptr};
  std::atomic<void*> closure_{nullptr};
  std::atomic<int32_t> extent_{0};
  std::atomic<int32_t> num_shares_{0};
  std::atomic<int32_t> error_{0};
  std::unique_ptr<Hand[]> hands_;

  alignas(64) std::atomic<uint64_t> loop_{0};  // grows by one per loop
  // Shares not finished; the caller sleeps on it when it has waited in vain.
  alignas(64) std::atomic<uint32_t> unfinished_{0};
  std::atomic<bool> caller_sleeps_{false};

  // Workers sleep on wakes_, which grows whenever sleepers are to look again.
  std::atomic<bool> stop_{false};
  std::atomic<int> sleepers_{0};
  std::atomic<uint32_t> wakes_{0};

  std::vector<std::thread> workers_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_THREAD_POOL_H_
