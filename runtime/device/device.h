// Device: the interface between the executor and a machine that runs kernels.
// Each kind of device is implemented in its own folder (for example cpu/) and
// listed in runtime/devices. The conformance suite (conformance.h) checks that
// all devices behave as this interface requires.
//
// The executor allocates memory once and binds kernels to their arguments once.
// To run the model, it then only calls BoundKernel::Run() for each kernel. A
// device may execute a kernel after Run() has returned, but must execute all
// kernels in the order of the calls. Synchronize() waits until all kernels have
// finished, and returns the first error since the previous Synchronize().
//
// Buffers, modules and bound kernels must be destroyed before their device. A
// device is not thread-safe.
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
#include "runtime/base/large/large_bytes.h"

namespace assay::runtime {

// A Buffer is device memory, aligned to ASSAY_BUFFER_ALIGNMENT.
class Buffer {
 public:
  explicit Buffer(int64_t bytes) : bytes_(bytes) {}
  virtual ~Buffer() = default;
  int64_t bytes() const { return bytes_; }

 private:
  int64_t bytes_;
};

// A BufferView is the range [offset, offset + bytes) of a buffer, in bytes.
// `offset` must be a multiple of ASSAY_BUFFER_ALIGNMENT.
struct BufferView {
  Buffer* buffer = nullptr;
  int64_t offset = 0;
  int64_t bytes = 0;
};

// A Placement describes how a device requires several tensors to be laid out in
// one buffer. Tensor i begins `i % staggers * ASSAY_BUFFER_ALIGNMENT` bytes
// after a multiple of `page` bytes.
struct Placement {
  int64_t page = ASSAY_BUFFER_ALIGNMENT;
  int64_t staggers = 1;
  // The size of the buffer in bytes is rounded up to a multiple of this value.
  int64_t buffer_multiple = ASSAY_BUFFER_ALIGNMENT;
};

// A BoundKernel is a kernel with the arguments of one call.
class BoundKernel {
 public:
  virtual ~BoundKernel() = default;
  // Runs the kernel, or queues the kernel and returns. Errors name the kernel.
  virtual absl::Status Run() = 0;
};

// The machine code of a kernel and all constants that the code refers to, as
// loaded, and the offset in bytes at which the kernel begins. Two kernels with
// equal bytes and equal entries execute the same instructions.
struct KernelCode {
  absl::string_view bytes;
  int64_t entry = 0;
};

// A Module is loaded code that contains kernels.
class Module {
 public:
  virtual ~Module() = default;
  // Binds the kernel `symbol` to the arguments `args`. Returns NotFound if
  // there is no such kernel, and InvalidArgument if CheckView() rejects an
  // argument or the device detects that the arguments do not match the kernel.
  // The module and the buffers must outlive the bound kernel.
  virtual absl::StatusOr<std::unique_ptr<BoundKernel>> Bind(
      const std::string& symbol, absl::Span<const BufferView> args) = 0;

  // Returns the code of the kernel `symbol`, which is valid as long as the
  // module. Returns no bytes if there is no such kernel, if the kernel refers
  // to anything outside of its code and constants, or if the device does not
  // know where they end.
  virtual KernelCode CodeOf(const std::string& /*symbol*/) const { return {}; }
};

class Device {
 public:
  virtual ~Device() = default;

  // Returns the kind of the device, for example `cpu`.
  virtual absl::string_view kind() const = 0;
  // Returns the kind of code that Load() accepts (Artifact::code_kind).
  virtual absl::string_view code_kind() const = 0;
  // Returns the number of threads that run the parallel loops of a kernel.
  virtual int num_threads() const = 0;
  virtual Placement placement() const { return {}; }

  // Returns a buffer of `bytes` bytes, initialised to zero. Returns
  // InvalidArgument if `bytes` is negative, and ResourceExhausted if the device
  // does not have enough memory.
  virtual absl::StatusOr<std::unique_ptr<Buffer>> Allocate(int64_t bytes) = 0;
  // Allocate() for a buffer all of which is written, part by part, before it is
  // read. The device may take the memory of each part when it is written.
  virtual absl::StatusOr<std::unique_ptr<Buffer>> AllocateForWriting(
      int64_t bytes) {
    return Allocate(bytes);
  }
  // Returns a buffer that contains `bytes`. Its size is that of `bytes`. A
  // device whose buffers are in the memory of this process may use the memory
  // of `bytes`; others copy them. Returns ResourceExhausted if the device does
  // not have enough memory.
  virtual absl::StatusOr<std::unique_ptr<Buffer>> AllocateFilled(
      LargeBytes bytes);

  // CopyIn() copies `to.bytes` bytes from host memory to a view; CopyOut()
  // copies `from.bytes` bytes from a view to host memory. Before they copy,
  // both wait until all kernels that are already queued have finished. They
  // return after the bytes have been copied. They return InvalidArgument if
  // CheckView() rejects the view.
  virtual absl::Status CopyIn(const void* from, const BufferView& to) = 0;
  virtual absl::Status CopyOut(const BufferView& from, void* to) = 0;

  // Loads the code of an artifact. Returns InvalidArgument if `code_kind`
  // differs from code_kind(), or if `code` is not valid code of this kind. If
  // `placement_seed` is not 0 and the device executes machine code, the address
  // of the code is drawn from it: the seed changes the position of the code
  // within a page and within a cache line.
  absl::StatusOr<std::unique_ptr<Module>> Load(absl::string_view code_kind,
                                               absl::string_view code,
                                               uint64_t placement_seed = 0);

  // Waits until all queued kernels have finished. Returns the first error since
  // the previous call.
  virtual absl::Status Synchronize() = 0;

  // Evicts the data of kernels from the caches: the threads of the device
  // access `bytes` bytes of other memory. If `bytes` does not exceed the size
  // of the largest cache, data can remain in it.
  virtual absl::Status FlushCaches(int64_t bytes) = 0;

 private:
  // Implements Load(). `code` is of the kind code_kind().
  virtual absl::StatusOr<std::unique_ptr<Module>> LoadCode(
      absl::string_view code, uint64_t placement_seed) = 0;
};

// Returns InvalidArgument unless the view has a buffer and lies inside it at a
// multiple of ASSAY_BUFFER_ALIGNMENT.
absl::Status CheckView(const BufferView& view);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_DEVICE_H_
