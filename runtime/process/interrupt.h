// Interrupt: lets one thread end the wait of another one.
//
//   Interrupt interrupt;
//   // Thread 1 waits for a descriptor, or for the interrupt:
//   pollfd fds[2] = {{fd, POLLIN, 0}, {interrupt.fd(), POLLIN, 0}};
//   poll(fds, 2, -1);
//   // Thread 2:
//   interrupt.Raise();
//
// An interrupt stays raised. Thread-safe.
#ifndef ASSAY_RUNTIME_PROCESS_INTERRUPT_H_
#define ASSAY_RUNTIME_PROCESS_INTERRUPT_H_

#include <atomic>

namespace assay::runtime {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  void Raise();
  bool raised() const { return raised_.load(); }

  // A file descriptor for poll(), which reports it as readable once the
  // interrupt is raised. Callers must not read from it. It is -1 if the
  // system has no descriptor left; whoever waits for long must then look at
  // raised() from time to time.
  int fd() const { return fd_; }

 private:
  const int fd_;
  std::atomic<bool> raised_{false};
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_PROCESS_INTERRUPT_H_
