// Lets Abseil, and with it gRPC, wait by the monotonic clock.
//
// gRPC's timers, among them the deadlines of calls, are kept by a thread that
// waits for the next one with a condition variable of Abseil. Abseil turns each
// timeout into a time of day and gives it to futex(2), together with
// FUTEX_CLOCK_REALTIME. If the wall clock is set back by an hour during a wait,
// the wait takes an hour more, and no deadline of the process is kept
// meanwhile.
//
// A program that links this library has its calls of syscall() replaced by the
// linker: such a wait is passed on with a time of CLOCK_MONOTONIC. Waits then
// take as long as they were meant to, whatever happens to the wall clock. All
// other calls are passed on as they are.
#ifndef ASSAY_RPC_TRANSPORT_MONOTONIC_WAITS_H_
#define ASSAY_RPC_TRANSPORT_MONOTONIC_WAITS_H_

#include <time.h>

namespace assay::rpc {

// Returns true if this is a futex operation that waits until a time of day.
bool WaitsForTimeOfDay(long operation);

// Returns the time of the monotonic clock that is as far from `monotonic_now`
// as `time` is from `now`, but at least 0.
timespec ToMonotonic(const timespec& time, const timespec& now,
                     const timespec& monotonic_now);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRANSPORT_MONOTONIC_WAITS_H_
