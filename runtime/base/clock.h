// Time for measuring. The clock is an interface so that what measures, waits
// or expires can be tested against a clock the test moves by hand.
//
// Clock::Monotonic() counts nanoseconds from an arbitrary start, never goes
// back and is not adjusted to the time of day: right for durations, wrong for
// dates.
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

  // The machine's own; lives for ever; callable from any thread.
  static Clock* Monotonic();
};

// Shorthand for Clock::Monotonic()->NowNanos() without the virtual call.
int64_t MonotonicNanos();

// A clock that moves only when told, or when somebody sleeps on it. For tests.
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
