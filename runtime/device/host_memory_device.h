// HostMemoryDevice: a base class for devices whose buffers are in the memory of
// this process and whose kernels run synchronously, such as CpuDevice. It
// implements the functions for buffers. Derived classes implement the functions
// that load and run code.
#ifndef ASSAY_RUNTIME_DEVICE_HOST_MEMORY_DEVICE_H_
#define ASSAY_RUNTIME_DEVICE_HOST_MEMORY_DEVICE_H_

#include <memory>

#include "runtime/base/large/large_bytes.h"
#include "runtime/device/device.h"

namespace assay::runtime {

class HostMemoryDevice : public Device {
 public:
  absl::StatusOr<std::unique_ptr<Buffer>> Allocate(int64_t bytes) override;
  absl::StatusOr<std::unique_ptr<Buffer>> AllocateForWriting(
      int64_t bytes) override;
  // Takes over the memory of `bytes`, without a copy, if its size is at least
  // kLargeBytes.
  absl::StatusOr<std::unique_ptr<Buffer>> AllocateFilled(
      LargeBytes bytes) override;
  absl::Status CopyIn(const void* from, const BufferView& to) override;
  absl::Status CopyOut(const BufferView& from, void* to) override;
  absl::Status Synchronize() override { return absl::OkStatus(); }

  // Returns the address of the first byte of a view. Requires that Allocate()
  // or AllocateFilled() has created the buffer and that CheckView() accepts the
  // view.
  static char* Address(const BufferView& view);

 private:
  absl::StatusOr<std::unique_ptr<Buffer>> Allocate(int64_t bytes,
                                                   bool fault_in);
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_HOST_MEMORY_DEVICE_H_
