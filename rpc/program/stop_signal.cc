#include "rpc/program/stop_signal.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "runtime/base/check.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

}  // namespace

StopSignal::StopSignal() {
  const sigset_t signals = StopSignals();
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, &signals, nullptr), 0);
  signal(SIGPIPE, SIG_IGN);
}

int StopSignal::Wait(int64_t timeout_nanos) {
  const sigset_t signals = StopSignals();
  const int64_t end = MonotonicNanos() + timeout_nanos;
  while (true) {
    int number = 0;
    if (timeout_nanos < 0) {
      number = sigwaitinfo(&signals, nullptr);
    } else {
      const int64_t left = end > MonotonicNanos() ? end - MonotonicNanos() : 0;
      // `long` and `time_t` have 32 bits on armhf.
      const timespec time = {static_cast<time_t>(left / kSecondNanos),
                             static_cast<long>(left % kSecondNanos)};
      number = sigtimedwait(&signals, nullptr, &time);
      if (number < 0 && errno == EAGAIN) return 0;
    }
    if (number > 0) {
      // The next signal has its usual effect.
      pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
      return number;
    }
    CHECK_EQ(errno, EINTR);
  }
}

}  // namespace assay::rpc
