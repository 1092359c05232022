// Device: what the executor needs of a machine that runs kernels. One
// implementation per kind of device (cpu/), all held to the same behaviour by
// the conformance suite in conformance.h.
//
// The interface is as narrow as the executor's use of it: memory is allocated
// once, kernels are bound to their arguments once, and running the model is
// then a sequence of BoundKernel::Run() calls. A device may run them later
// than Run() returns, in the order of the calls; Synchronize() waits and
// reports what went wrong since the last time.
//
// Objects made by a device must be destroyed before it. A device is used by
// one thread at a time.
#ifndef ASSAY_RUNTIME_DEVICE_DEVICE_H_
#define ASSAY_RUNTIME_DEVICE_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::runtime {

// Device memory, aligned to ASSAY_BUFFER_ALIGNMENT, zero at first.
class Buffer {
 public:
  explicit Buffer(int64_t bytes) : bytes_(bytes) {}
  virtual ~Buffer() = default;
  int64_t bytes() const { return bytes_; }

 private:
  int64_t bytes_;
};

// `bytes` bytes of a buffer from `offset` on, an aligned one.
struct BufferView {
  Buffer* buffer = nullptr;
  int64_t offset = 0;
  int64_t bytes = 0;
};

// A kernel and the arguments of one call of it.
class BoundKernel {
 public:
  virtual ~BoundKernel() = default;
  // Runs the kernel, or queues it. Errors name the kernel.
  virtual absl::Status Run() = 0;
};

// Loaded kernel code.
class Module {
 public:
  virtual ~Module() = default;
  // NotFound if there is no such kernel; InvalidArgument if a view does not
  // lie inside its buffer. The module and the buffers must outlive the result.
  virtual absl::StatusOr<std::unique_ptr<BoundKernel>> Bind(
      const std::string& symbol, absl::Span<const BufferView> args) = 0;
};

class Device {
 public:
  virtual ~Device() = default;

  // `cpu`, `opencl`, …
  virtual absl::string_view kind() const = 0;

  // InvalidArgument if `bytes` is negative, ResourceExhausted if there is not
  // so much memory.
  virtual absl::StatusOr<std::unique_ptr<Buffer>> Allocate(int64_t bytes) = 0;

  // Copies all bytes of the view after everything queued before, and waits.
  // InvalidArgument if the view does not lie inside its buffer.
  virtual absl::Status CopyIn(const void* from, const BufferView& to) = 0;
  virtual absl::Status CopyOut(const BufferView& from, void* to) = 0;

  // Loads the code of an artifact. InvalidArgument if it is not code, or not
  // code for this device.
  virtual absl::StatusOr<std::unique_ptr<Module>> Load(
      absl::string_view code) = 0;

  virtual absl::Status Synchronize() = 0;

  // Pushes what kernels left in the caches out of them, by going over `bytes`
  // of other memory on every processor the device uses. That is enough if
  // `bytes` exceeds the largest cache, and is the best a program can do.
  virtual absl::Status FlushCaches(int64_t bytes) = 0;
};

// InvalidArgument unless the view lies inside its buffer at an aligned offset.
absl::Status CheckView(const BufferView& view);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_DEVICE_H_
