// WaitForIdleThreads: what is called between the samples of two programs that
// are timed in turns in one process.
//
// Thread pools spin for a while after they worked, some for tens of
// milliseconds, and would take processors away from whoever comes next. What
// counts is each thread's state as the system sees it. Processor time will not
// do: that of a thread on another processor is brought up to date only at the
// ticks of the clock.
#ifndef ASSAY_SUITES_KERNELS_IDLE_THREADS_H_
#define ASSAY_SUITES_KERNELS_IDLE_THREADS_H_

#include <functional>

#include "runtime/base/clock.h"

namespace assay::suites {

// Sleeps until `running`, how many threads run or wait for a processor, was 0
// twice in a row, at most 200 ms.
void WaitForIdle(const std::function<int()>& running, Clock* clock);

// The same of all threads of this process but the calling one.
void WaitForIdleThreads();

// Threads of this process but the calling one that run or wait for a
// processor; 0 where the system does not say.
int RunningThreads();

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_IDLE_THREADS_H_
