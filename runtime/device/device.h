// Device: the interface between the executor and a machine that runs kernels.
// Each kind of device is implemented in its own folder (cpu/) and listed in
// runtime/devices. The conformance suite (conformance.h) checks that all of
// them behave the same.
//
// The interface is as narrow as the executor's use of it: memory is allocated
// once, kernels are bound to their arguments once, and running the model is
// then a sequence of BoundKernel::Run() calls. A device may run them later
// than Run() returns, in the order of the calls; Synchronize() waits and
// reports the first error since the previous call.
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
#include "runtime/abi/abi.h"

namespace assay::runtime {

// Device memory, aligned to ASSAY_BUFFER_ALIGNMENT, initialised to zero.
class Buffer {
 public:
  explicit Buffer(int64_t bytes) : bytes_(bytes) {}
  virtual ~Buffer() = default;
  int64_t bytes() const { return bytes_; }

 private:
  int64_t bytes_;
};

// `bytes` bytes of a buffer from `offset` on, which is aligned.
struct BufferView {
  Buffer* buffer = nullptr;
  int64_t offset = 0;
  int64_t bytes = 0;
};

// How a device wants several tensors laid out in one buffer. Tensor i begins
// `i % staggers * ASSAY_BUFFER_ALIGNMENT` bytes after a multiple of `page`.
struct Placement {
  int64_t page = ASSAY_BUFFER_ALIGNMENT;
  int64_t staggers = 1;
  // The size of the buffer is rounded up to a multiple of this.
  int64_t buffer_multiple = ASSAY_BUFFER_ALIGNMENT;
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
  // The kind of code that Load() accepts.
  virtual absl::string_view code_kind() const = 0;
  // Number of threads that run a kernel's parallel loops.
  virtual int num_threads() const = 0;
  virtual Placement placement() const { return {}; }

  // InvalidArgument if `bytes` is negative, ResourceExhausted if the device
  // does not have that much memory.
  virtual absl::StatusOr<std::unique_ptr<Buffer>> Allocate(int64_t bytes) = 0;

  // Copies all bytes of the view after everything queued before, and waits.
  // InvalidArgument if the view does not lie inside its buffer.
  virtual absl::Status CopyIn(const void* from, const BufferView& to) = 0;
  virtual absl::Status CopyOut(const BufferView& from, void* to) = 0;

  // Loads the code of an artifact. InvalidArgument if `code_kind` is not that
  // of the device, or if `code` is not valid code of that kind.
  absl::StatusOr<std::unique_ptr<Module>> Load(absl::string_view code_kind,
                                               absl::string_view code);

  virtual absl::Status Synchronize() = 0;

  // Evicts what kernels left in the caches by accessing `bytes` bytes of other
  // memory from every processor that the device uses. Sufficient if `bytes`
  // exceeds the largest cache.
  virtual absl::Status FlushCaches(int64_t bytes) = 0;

 private:
  // Load() for code of the device's kind.
  virtual absl::StatusOr<std::unique_ptr<Module>> LoadCode(
      absl::string_view code) = 0;
};

// InvalidArgument unless the view lies inside its buffer at an aligned offset.
absl::Status CheckView(const BufferView& view);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_DEVICE_H_
