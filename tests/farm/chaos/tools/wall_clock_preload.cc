// A library for LD_PRELOAD that gives a program a wall clock of its own
// (wall_clock.h). It replaces
//   - clock_gettime(CLOCK_REALTIME), gettimeofday() and time();
//   - syscall(SYS_futex) with FUTEX_CLOCK_REALTIME, by which Abseil waits until
//     a time of day. As in the kernel, a wait follows a clock that is set
//     during the wait; here after at most 20 ms.
// Everything else, and a program without the variable ASSAY_WALL_CLOCK, has the
// clock of the machine. All functions of this file can be called before the
// constructors of the program have run.
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr int64_t kSliceNanos = 20'000'000;

struct Shared {
  std::atomic<int64_t> ahead_nanos;
  std::atomic<int64_t> readings;
  std::atomic<int64_t> waits;
};

// 0 before the first use, 1 if there is no file, and else the address.
std::atomic<uintptr_t> g_shared{0};

long RawCall(long number, long a = 0, long b = 0, long c = 0, long d = 0,
             long e = 0, long f = 0) {
#if defined(__x86_64__)
  long result = 0;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                     "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#else
#error "Only x86_64 is supported."
#endif
}

uintptr_t Open() {
  const char* path = getenv("ASSAY_WALL_CLOCK");
  if (path == nullptr) return 1;
  const long fd = RawCall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path),
                          O_RDWR | O_CLOEXEC);
  if (fd < 0) return 1;
  const long memory = RawCall(SYS_mmap, 0, sizeof(Shared),
                              PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  RawCall(SYS_close, fd);
  return memory < 0 && memory > -4096 ? 1 : static_cast<uintptr_t>(memory);
}

Shared* Find() {
  uintptr_t found = g_shared;
  if (found == 0) g_shared = found = Open();
  return found == 1 ? nullptr : reinterpret_cast<Shared*>(found);
}

int64_t Read(clockid_t clock) {
  timespec time;
  RawCall(SYS_clock_gettime, clock, reinterpret_cast<long>(&time));
  return time.tv_sec * kSecondNanos + time.tv_nsec;
}

int64_t WallNanos() {
  Shared* const shared = Find();
  if (shared == nullptr) return Read(CLOCK_REALTIME);
  shared->readings.fetch_add(1, std::memory_order_relaxed);
  return Read(CLOCK_REALTIME) + shared->ahead_nanos;
}

long Result(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

// Waits in slices by the monotonic clock, because the clock can be set.
long WaitUntil(long word, long operation, long value, const timespec& time,
               long mask) {
  if (Shared* const shared = Find()) ++shared->waits;
  const int64_t end = time.tv_sec * kSecondNanos + time.tv_nsec;
  while (true) {
    const int64_t left = end - WallNanos();
    if (left <= 0) return -ETIMEDOUT;
    const int64_t until =
        Read(CLOCK_MONOTONIC) + (left < kSliceNanos ? left : kSliceNanos);
    const timespec slice = {until / kSecondNanos, until % kSecondNanos};
    const long result =
        RawCall(SYS_futex, word, operation & ~FUTEX_CLOCK_REALTIME, value,
                reinterpret_cast<long>(&slice), 0, mask);
    if (result != -ETIMEDOUT) return result;
  }
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int clock_gettime(
    clockid_t clock, timespec* time) noexcept {
  if (clock != CLOCK_REALTIME) {
    return static_cast<int>(Result(
        RawCall(SYS_clock_gettime, clock, reinterpret_cast<long>(time))));
  }
  const int64_t nanos = WallNanos();
  time->tv_sec = nanos / kSecondNanos;
  time->tv_nsec = nanos % kSecondNanos;
  return 0;
}

__attribute__((visibility("default"))) int gettimeofday(timeval* time,
                                                        void*) noexcept {
  const int64_t nanos = WallNanos();
  time->tv_sec = nanos / kSecondNanos;
  time->tv_usec = nanos % kSecondNanos / 1000;
  return 0;
}

__attribute__((visibility("default"))) time_t time(time_t* result) noexcept {
  const time_t seconds = WallNanos() / kSecondNanos;
  if (result != nullptr) *result = seconds;
  return seconds;
}

__attribute__((visibility("default"))) long syscall(long number, ...) noexcept {
  long arguments[6];
  va_list list;
  va_start(list, number);
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  const long operation = arguments[1];
  if (number == SYS_futex && arguments[3] != 0 &&
      (operation & FUTEX_CLOCK_REALTIME) != 0 &&
      (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET) {
    return Result(WaitUntil(arguments[0], operation, arguments[2],
                            *reinterpret_cast<const timespec*>(arguments[3]),
                            arguments[5]));
  }
  return Result(RawCall(number, arguments[0], arguments[1], arguments[2],
                        arguments[3], arguments[4], arguments[5]));
}

}  // extern "C"
