#include "rpc/transport/monotonic_waits.h"

#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstdint>

// The linker calls the first one instead of syscall(), which is the second one
// (--wrap in BUILD).
extern "C" long __wrap_syscall(long number, ...);
extern "C" long __real_syscall(long number, ...);

namespace assay::rpc {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;

// The times of a clock end in the year 2262.
int64_t Nanos(const timespec& time) {
  const auto seconds =
      std::clamp<int64_t>(time.tv_sec, 0, INT64_MAX / kSecondNanos / 4);
  return seconds * kSecondNanos + time.tv_nsec;
}

}  // namespace

bool WaitsForTimeOfDay(long operation) {
  return (operation & FUTEX_CLOCK_REALTIME) != 0 &&
         (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
}

timespec ToMonotonic(const timespec& time, const timespec& now,
                     const timespec& monotonic_now) {
  const int64_t nanos =
      std::max<int64_t>(Nanos(time) - Nanos(now) + Nanos(monotonic_now), 0);
  timespec result;
  result.tv_sec = static_cast<time_t>(nanos / kSecondNanos);
  result.tv_nsec = static_cast<long>(nanos % kSecondNanos);
  return result;
}

}  // namespace assay::rpc

long __wrap_syscall(long number, ...) {
  // As in the C library, the arguments that the caller has not given are read
  // from registers, and ignored by the kernel.
  long arguments[6];
  va_list list;
  va_start(list, number);
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  timespec deadline;
  if (number == SYS_futex && arguments[3] != 0 &&
      assay::rpc::WaitsForTimeOfDay(arguments[1])) {
    timespec now, monotonic_now;
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_MONOTONIC, &monotonic_now);
    deadline = assay::rpc::ToMonotonic(
        *reinterpret_cast<const timespec*>(arguments[3]), now, monotonic_now);
    arguments[1] &= ~static_cast<long>(FUTEX_CLOCK_REALTIME);
    arguments[3] = reinterpret_cast<long>(&deadline);
  }
  return __real_syscall(number, arguments[0], arguments[1], arguments[2],
                        arguments[3], arguments[4], arguments[5]);
}
