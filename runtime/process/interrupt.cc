#include "runtime/process/interrupt.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace assay::runtime {

Interrupt::Interrupt() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Interrupt::~Interrupt() {
  if (fd_ >= 0) close(fd_);
}

void Interrupt::Raise() {
  raised_ = true;
  if (fd_ >= 0) eventfd_write(fd_, 1);
}

}  // namespace assay::runtime
