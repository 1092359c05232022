// WaitForIdleThreads: waits until the thread pools of this process are idle. It
// is called between samples of two programs that are timed in alternation.
//
// After their work, the threads of a pool spin for a while, some for tens of
// milliseconds. Meanwhile they occupy processors that the next program needs.
// A thread is idle if its state in /proc is not "running". The processor time
// of a thread is not a suitable criterion, because Linux updates the time of
// threads on other processors only at timer ticks.
#ifndef ASSAY_SUITES_SAMPLING_IDLE_THREADS_H_
#define ASSAY_SUITES_SAMPLING_IDLE_THREADS_H_

#include <functional>

#include "runtime/base/clock.h"

namespace assay::suites {

// Calls `running` repeatedly and sleeps between the calls. `running` must
// return the number of threads that run or wait for a processor. WaitForIdle
// returns when two consecutive calls have returned 0, or after 200 ms.
void WaitForIdle(const std::function<int()>& running, Clock* clock);

// Calls WaitForIdle() to wait until all threads of this process except the
// calling thread are idle.
void WaitForIdleThreads();

// Returns the number of threads of this process, except the calling thread,
// that run or wait for a processor. Returns 0 if /proc cannot be read.
int RunningThreads();

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SAMPLING_IDLE_THREADS_H_
