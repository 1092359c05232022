// Which processors the threads of a pool may run on.
//
// A system that wakes a thread may put it on the processor of its waker, where
// the two take turns until the next balancing of load, milliseconds later; a
// kernel is over by then. So each worker is kept off the processor that the
// calling thread is on: the usable processors, counted from the caller's and
// around, are dealt to the threads like cards. With as many threads as
// processors each has its own; with fewer, each has several and the system
// chooses among them.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_CPU_AFFINITY_H_
#define ASSAY_RUNTIME_DEVICE_CPU_CPU_AFFINITY_H_

#include <pthread.h>

#include <vector>

namespace assay::runtime {

// The processors in this thread's affinity mask, ascending; none if it cannot
// be read.
std::vector<int> AllowedCpus();

// Whether the system put `thread` on `cpus`.
bool SetAllowedCpus(pthread_t thread, const std::vector<int>& cpus);

// Those of `cpus` (ascending) that fall to `thread` of `num_threads`, where
// thread 0 is the caller and runs on `caller_cpu`. Never empty unless `cpus`
// is; threads beyond the number of processors share. A `caller_cpu` outside
// `cpus` counts as the first.
std::vector<int> DealtCpus(const std::vector<int>& cpus, int caller_cpu,
                           int thread, int num_threads);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_CPU_AFFINITY_H_
