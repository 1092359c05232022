// The two futex operations of Linux that the thread pool needs.
//
// A condition variable would be the portable choice, but signalling glibc's
// can block until a thread woken earlier has been scheduled, and the pool
// promises not to wait for threads that the system keeps waiting.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_FUTEX_H_
#define ASSAY_RUNTIME_DEVICE_CPU_FUTEX_H_

#include <atomic>
#include <cstdint>

namespace assay::runtime {

// Sleeps while `word` holds `expected` and nobody wakes it. May return for no
// reason: call it in a loop that checks the condition.
void FutexWait(std::atomic<uint32_t>* word, uint32_t expected);

// Wakes up to `count` threads that sleep on `word`. Never blocks.
void FutexWake(std::atomic<uint32_t>* word, int count);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_FUTEX_H_
