// Clock: a monotonic time source. It is an interface, so tests of code that
// measures time, waits or has a time limit can use FakeClock.
//
// Clock::Monotonic() reads CLOCK_MONOTONIC: nanoseconds since an arbitrary
// point in time, unaffected by changes of the wall-clock time. Use this clock
// for durations, not for dates.
#ifndef ASSAY_RUNTIME_BASE_CLOCK_H_
#define ASSAY_RUNTIME_BASE_CLOCK_H_

#include <cstdint>

namespace assay {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t NowNanos() = 0;
  // Sleeps for `nanos` nanoseconds; returns at once if `nanos` <= 0.
  virtual void SleepNanos(int64_t nanos) = 0;

  // Returns the clock of the system, which is thread-safe and never destroyed.
  static Clock* Monotonic();
};

// Equivalent to Clock::Monotonic()->NowNanos(), without the virtual call.
int64_t MonotonicNanos();

// A FakeClock is a clock for tests. It starts at 0, and only Advance() and
// SleepNanos() change its time.
class FakeClock : public Clock {
 public:
  int64_t NowNanos() override { return now_; }
  void SleepNanos(int64_t nanos) override {
    if (nanos > 0) now_ += nanos;
  }
  void Advance(int64_t nanos) { now_ += nanos; }

 private:
  int64_t now_ = 0;
};

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_CLOCK_H_
