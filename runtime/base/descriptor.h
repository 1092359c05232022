// Descriptor: owns a file descriptor. The destructor closes it.
#ifndef ASSAY_RUNTIME_BASE_DESCRIPTOR_H_
#define ASSAY_RUNTIME_BASE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace assay {

class Descriptor {
 public:
  // `fd` may be the error of a function that opens a file, such as -1.
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }

  // Returns a negative number if no file is open.
  int get() const { return fd_; }
  // Closes the descriptor. Returns false on an error, which can be a delayed
  // write error.
  bool Close() { return close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_DESCRIPTOR_H_
