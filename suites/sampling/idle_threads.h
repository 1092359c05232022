// WaitForIdleThreads: waits until the thread pools of this process are idle,
// between samples of two programs that are timed in alternation.
//
// Thread pools spin for a while after their work, some for tens of
// milliseconds, and would take processors away from the next program. The
// criterion is the state of each thread as the system reports it. Processor
// time is unsuitable: the system updates that of a thread on another processor
// only at timer ticks.
#ifndef ASSAY_SUITES_SAMPLING_IDLE_THREADS_H_
#define ASSAY_SUITES_SAMPLING_IDLE_THREADS_H_

#include <functional>

#include "runtime/base/clock.h"

namespace assay::suites {

// Sleeps until `running`, the number of threads that run or wait for a
// processor, is 0 twice in a row, at most 200 ms.
void WaitForIdle(const std::function<int()>& running, Clock* clock);

// WaitForIdle() for all threads of this process except the calling one.
void WaitForIdleThreads();

// Returns the number of threads of this process, except the calling one, that
// run or wait for a processor; 0 if the system does not report it.
int RunningThreads();

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SAMPLING_IDLE_THREADS_H_
