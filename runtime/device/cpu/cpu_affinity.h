// CPU affinity of the threads of a pool.
//
// The scheduler may wake a thread on the CPU of its waker. The two threads then
// share this CPU until the next load balancing, which is milliseconds away and
// longer than a kernel runs. Workers are therefore never placed on the CPU of
// the calling thread: the usable CPUs, starting from the caller's, are assigned
// to the threads round-robin. If there are as many threads as CPUs, each thread
// is pinned to one CPU; with fewer threads, each gets several CPUs, among which
// the scheduler chooses.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_CPU_AFFINITY_H_
#define ASSAY_RUNTIME_DEVICE_CPU_CPU_AFFINITY_H_

#include <pthread.h>

#include <vector>

namespace assay::runtime {

// Returns the CPUs in the affinity mask of the calling thread in ascending
// order, or an empty vector if the mask cannot be read.
std::vector<int> AllowedCpus();

// Sets the affinity mask of `thread`. Returns false if `cpus` is empty or the
// system refuses.
bool SetAllowedCpus(pthread_t thread, const std::vector<int>& cpus);

// Returns the subset of `cpus` (ascending) that is assigned to `thread` of
// `num_threads`. Thread 0 is the caller, which runs on `caller_cpu`; if that is
// not in `cpus`, the first CPU takes its place. If there are more threads than
// CPUs, threads share CPUs. The result is empty only if `cpus` is.
std::vector<int> AssignCpus(const std::vector<int>& cpus, int caller_cpu,
                            int thread, int num_threads);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_CPU_AFFINITY_H_
