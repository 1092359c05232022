// This header declares functions that control the CPU affinity of threads.
//
// Without an affinity, the scheduler may wake a worker of a thread pool
// (thread_pool.h) on the CPU of the thread that wakes it. The two threads then
// share this CPU until the next load balancing, which can take longer than a
// whole kernel. The pool therefore assigns its CPUs to its threads round-robin,
// starting with the calling thread and its CPU. No worker is placed on the CPU
// of the caller, unless there are more threads than CPUs. With as many threads
// as CPUs, each worker is pinned to one CPU. With fewer threads, a worker can
// have several CPUs, among which the scheduler chooses.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_CPU_AFFINITY_H_
#define ASSAY_RUNTIME_DEVICE_CPU_CPU_AFFINITY_H_

#include <pthread.h>
#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace assay::runtime {

// Returns the CPUs in the affinity mask of the calling thread in ascending
// order, or an empty vector if the mask cannot be read.
std::vector<int> AllowedCpus();

// Sets the affinity mask of `thread`. Returns false if `cpus` is empty or the
// system refuses.
bool SetAllowedCpus(pthread_t thread, const std::vector<int>& cpus);

// Like AllowedCpus() and SetAllowedCpus(), for the thread with the id `tid`
// (gettid(2)), or for the calling thread if `tid` is 0. They work for threads
// that a library has created. SetAllowedCpusOf() sets errno to ESRCH if the
// thread has ended.
std::vector<int> AllowedCpusOf(pid_t tid);
bool SetAllowedCpusOf(pid_t tid, const std::vector<int>& cpus);

// Returns the CPUs, in ascending order, that are assigned to the thread with
// index `thread` of `num_threads` threads. `cpus` must be in ascending order.
// Thread 0 is the caller, which runs on `caller_cpu`. If `cpus` does not
// contain `caller_cpu`, the assignment starts with the first CPU of `cpus`. If
// there are more threads than CPUs, threads share CPUs. The result is empty
// only if `cpus` is empty.
std::vector<int> AssignCpus(const std::vector<int>& cpus, int caller_cpu,
                            int thread, int num_threads);

// Keeps the calling thread on one of its CPUs while the object exists. The CPU
// is drawn from `seed`. Two processes that are compared and run in turns pass
// the same seed, to use the same CPU. Otherwise the scheduler may give them
// different CPUs, and one of the two may handle more interrupts or share its
// core with a busy CPU. Create the object after a thread pool, whose workers
// may run on all CPUs of the thread that creates it. If the system refuses, the
// thread keeps its CPUs.
class ScopedCpu {
 public:
  explicit ScopedCpu(uint64_t seed);
  ~ScopedCpu();
  ScopedCpu(const ScopedCpu&) = delete;
  ScopedCpu& operator=(const ScopedCpu&) = delete;

 private:
  const std::vector<int> before_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_CPU_AFFINITY_H_
