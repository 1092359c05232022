#include "suites/devices/signal_release.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <utility>

#include "runtime/base/check.h"

namespace assay::suites {
namespace {

// The end of the pipe to which the handler writes; -1 if there is no object.
std::atomic<int> handler_pipe = -1;

void OnSignal(int number) {
  const int saved_errno = errno;
  // The next signal has the default effect.
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  const auto byte = static_cast<uint8_t>(number);
  const ssize_t written = write(handler_pipe, &byte, 1);
  (void)written;  // the pipe is empty, so that this cannot fail
  errno = saved_errno;
}

}  // namespace

SignalRelease::SignalRelease(std::function<void()> release)
    : release_(std::move(release)) {
  CHECK_EQ(pipe2(pipe_, O_CLOEXEC), 0);
  CHECK_EQ(handler_pipe.exchange(pipe_[1]), -1) << "there are two objects";
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  CHECK_EQ(sigaction(SIGINT, &action, &old_interrupt_), 0);
  CHECK_EQ(sigaction(SIGTERM, &action, &old_terminate_), 0);
  thread_ = std::thread([this] {
    uint8_t number = 0;
    ssize_t size = 0;
    do {
      size = read(pipe_[0], &number, 1);
    } while (size < 0 && errno == EINTR);
    if (size != 1 || number == 0) return;  // the end of the object
    release_();
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
    kill(getpid(), number);
  });
}

SignalRelease::~SignalRelease() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
  const uint8_t end = 0;
  CHECK_EQ(write(pipe_[1], &end, 1), 1);
  thread_.join();
  handler_pipe = -1;
  close(pipe_[0]);
  close(pipe_[1]);
}

}  // namespace assay::suites
