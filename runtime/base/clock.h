// Clock: a monotonic time source. It is an interface, so tests of code that
// measures, waits or expires can use FakeClock.
//
// Clock::Monotonic() reads CLOCK_MONOTONIC: nanoseconds since an arbitrary
// point in time, unaffected by changes of the wall-clock time. Use it for
// durations, not for dates.
#ifndef ASSAY_RUNTIME_BASE_CLOCK_H_
#define ASSAY_RUNTIME_BASE_CLOCK_H_

#include <cstdint>

namespace assay {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t NowNanos() = 0;
  // Returns at once if `nanos` <= 0.
  virtual void SleepNanos(int64_t nanos) = 0;

  // The system's clock. It is never destroyed and is thread-safe.
  static Clock* Monotonic();
};

// Equivalent to Clock::Monotonic()->NowNanos(), without the virtual call.
int64_t MonotonicNanos();

// A clock for tests that advances only by Advance() and SleepNanos().
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
