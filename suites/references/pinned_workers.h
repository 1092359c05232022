// PinnedWorkers: the worker threads of a library, pinned by the same rule as
// the workers of this project's thread pool (runtime/device/cpu/thread_pool.h).
//
// The pool keeps its workers off the processor of the calling thread. The
// workers of a library must be kept off it as well, or the scheduler may let a
// worker and the caller share a processor for the length of a kernel. The
// libraries have no common option for this: ONNX Runtime and OpenBLAS can be
// given the processors of each worker, but libgomp and OpenVINO also pin the
// caller. Therefore this class treats all libraries in the same way, without
// their options: the threads that appear while a library is loaded or computes
// are its workers (Watch), and their affinities are set by their thread ids
// (Pin).
//
// As with the pool, the affinity of the caller is not changed, and the workers
// are pinned again when the caller has moved to another processor. The pool
// does this before each parallel loop. Users of this class call Pin() before
// each timed series of runs, so that pinning is not part of the measured time.
//
//   PinnedWorkers workers;
//   workers.Watch([&] { return library.Run(); });  // starts the threads
//   const bool pinned = workers.Pin(/*num_threads=*/2);
//
// Not thread-safe: all calls must come from the thread that calls the library.
#ifndef ASSAY_SUITES_REFERENCES_PINNED_WORKERS_H_
#define ASSAY_SUITES_REFERENCES_PINNED_WORKERS_H_

#include <sys/types.h>

#include <vector>

#include "runtime/device/cpu/cpu_affinity.h"

namespace assay::suites {

// Returns the ids of the threads of this process in ascending order, or an
// empty vector if /proc cannot be read.
std::vector<pid_t> ThreadIds();

class PinnedWorkers {
 public:
  // The workers stay within the affinity mask that the calling thread has when
  // this object is created.
  PinnedWorkers() = default;
  PinnedWorkers(const PinnedWorkers&) = delete;
  PinnedWorkers& operator=(const PinnedWorkers&) = delete;

  // Calls `action` and returns its result. Threads that it creates become
  // workers, and workers that have ended are forgotten. No other thread of the
  // process may create threads meanwhile.
  template <typename Action>
  auto Watch(const Action& action) {
    const std::vector<pid_t> before = ThreadIds();
    auto result = action();
    Update(before);
    return result;
  }

  // Assigns to the workers the processors that the workers of a pool of
  // `num_threads` threads would have (AssignCpus). If the library has more
  // workers, they share these processors in turn. Takes about 10 ns if nothing
  // has changed. Returns false if the threads cannot be listed or the system
  // refuses. With less than two threads, does nothing and returns true.
  bool Pin(int num_threads);

 private:
  void Update(const std::vector<pid_t>& before);

  const std::vector<int> cpus_ = runtime::AllowedCpus();
  std::vector<pid_t> workers_;  // in the order of their creation
  bool listed_ = true;          // false if the threads could not be listed
  // Arguments of the last Pin(), and its result.
  int caller_cpu_ = -1;
  int num_threads_ = 0;
  bool pinned_ = false;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_PINNED_WORKERS_H_
