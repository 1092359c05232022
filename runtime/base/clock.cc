#include "runtime/base/clock.h"

#include <errno.h>
#include <time.h>

namespace assay {
namespace {

constexpr int64_t kNanosPerSecond = 1000000000;

class MonotonicClock : public Clock {
 public:
  int64_t NowNanos() override { return MonotonicNanos(); }

  void SleepNanos(int64_t nanos) override {
    if (nanos <= 0) return;
    timespec left;
    left.tv_sec = static_cast<time_t>(nanos / kNanosPerSecond);
    left.tv_nsec = static_cast<long>(nanos % kNanosPerSecond);
    // If a signal interrupts the sleep, `left` receives the remaining time.
    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR) {
    }
  }
};

}  // namespace

int64_t MonotonicNanos() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kNanosPerSecond + now.tv_nsec;
}

Clock* Clock::Monotonic() {
  static MonotonicClock* const clock = new MonotonicClock;
  return clock;
}

}  // namespace assay
