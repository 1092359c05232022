// SignalRelease: gives something back before a signal ends the program.
//
// A user who types Ctrl-C ends the program at once, without destructors. The
// devices that it has leased would then be useless until their leases expire.
//
//   const SignalRelease release([&] { runner.Cancel(); });
//
// When SIGINT or SIGTERM arrives, a thread calls the function, and the signal
// then has its usual effect: it ends the program. A second signal ends the
// program without waiting for the function. Only one object may exist at a
// time.
#ifndef ASSAY_SUITES_DEVICES_SIGNAL_RELEASE_H_
#define ASSAY_SUITES_DEVICES_SIGNAL_RELEASE_H_

#include <signal.h>

#include <functional>
#include <thread>

namespace assay::suites {

class SignalRelease {
 public:
  // `release` is called by another thread, at most once.
  explicit SignalRelease(std::function<void()> release);
  // Restores what the signals did before.
  ~SignalRelease();
  SignalRelease(const SignalRelease&) = delete;
  SignalRelease& operator=(const SignalRelease&) = delete;

 private:
  const std::function<void()> release_;
  int pipe_[2] = {-1, -1};
  struct sigaction old_interrupt_ = {};
  struct sigaction old_terminate_ = {};
  std::thread thread_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_DEVICES_SIGNAL_RELEASE_H_
