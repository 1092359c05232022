// ThreadPool: runs the parallel loops of kernels (runtime/abi) on a fixed
// number of threads, the calling one among them.
//
// ParallelFor(extent, …) cuts [0, extent) into min(threads, extent) contiguous
// shares: share i is [extent*i/n, extent*(i+1)/n). The cut depends on nothing
// else, so a kernel sees the same shares in every run. Thread i runs share i
// if it gets there first, which keeps data in its cache from one loop to the
// next; a thread without work of its own takes shares nobody has begun, so a
// thread that the system does not schedule holds up nobody.
//
// Being a good neighbour: threads are not pinned, and nobody waits by
// spinning for long. A worker without work yields the processor for at most
// Options::spin_nanos and then sleeps until the next loop; so does the caller
// while the last shares finish. Several pools, or processes, on the same
// processors lose fairness, not progress.
//
// Wrong uses that are made harmless: a loop started from inside a share runs
// alone, as one share, on the thread that started it; two threads that call
// ParallelFor at once take turns.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_THREAD_POOL_H_
#define ASSAY_RUNTIME_DEVICE_CPU_THREAD_POOL_H_

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
  // Who took a share: the number of the loop in which it was last taken.
  struct alignas(64) Share {
    std::atomic<uint64_t> taken{0};
  };

  explicit ThreadPool(const Options& options);

  void WorkerMain(int index);
  bool HasWork(uint64_t done_loop) const;
  void SleepForWork(uint64_t done_loop);
  void WakeSleepers(int count);
  void WorkOn(uint64_t loop, int first_share);
  void RunShare(int share);
  void FinishShare();
  void WaitUntilDone();

  const int num_threads_;
  const int64_t spin_nanos_;

  std::mutex callers_;  // one loop at a time

  // The loop being run. Written while no share is there to be taken, and read
  // for use only by who holds a share of it; atomic because a late worker may
  // look at them at any time.
  std::atomic<AssayParallelBody> body_{nullptr};
  std::atomic<void*> closure_{nullptr};
  std::atomic<int32_t> extent_{0};
  std::atomic<int32_t> num_shares_{0};
  std::atomic<int32_t> error_{0};
  std::unique_ptr<Share[]> shares_;

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
