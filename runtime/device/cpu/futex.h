// This header wraps the Linux futex operations that the thread pool uses.
//
// The pool does not use condition variables. In glibc, signalling a condition
// variable can block until a previously woken thread has been scheduled, and
// the pool must not wait for a descheduled thread.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_FUTEX_H_
#define ASSAY_RUNTIME_DEVICE_CPU_FUTEX_H_

#include <atomic>
#include <cstdint>

namespace assay::runtime {

// Blocks until FutexWake() is called for `word`. Returns at once if the value
// of `word` is not `expected`. Spurious wakeups are possible, so callers must
// recheck their condition in a loop.
void FutexWait(std::atomic<uint32_t>* word, uint32_t expected);

// Wakes up to `count` threads that are blocked on `word`. Never blocks.
void FutexWake(std::atomic<uint32_t>* word, int count);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_FUTEX_H_
