// CpuDevice: runs kernels synchronously on the CPUs of this machine with its
// own thread pool. Modules are ELF shared objects for this machine.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_
#define ASSAY_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/abi/abi.h"
#include "runtime/device/cpu/thread_pool.h"
#include "runtime/device/device.h"

namespace assay::runtime {

class CpuDevice : public Device {
 public:
  // If `num_threads` is 0, the pool has UsableCpuCount() threads.
  static absl::StatusOr<std::unique_ptr<CpuDevice>> Create(int num_threads = 0);
  ~CpuDevice() override;

  int num_threads() const { return pool_->num_threads(); }
  // The runtime table that is passed to kernels; owned by the device.
  const AssayRuntime* runtime() const { return &runtime_; }

  absl::string_view kind() const override { return "cpu"; }
  absl::StatusOr<std::unique_ptr<Buffer>> Allocate(int64_t bytes) override;
  absl::Status CopyIn(const void* from, const BufferView& to) override;
  absl::Status CopyOut(const BufferView& from, void* to) override;
  absl::StatusOr<std::unique_ptr<Module>> Load(absl::string_view code) override;
  absl::Status Synchronize() override { return absl::OkStatus(); }
  absl::Status FlushCaches(int64_t bytes) override;

 private:
  explicit CpuDevice(std::unique_ptr<ThreadPool> pool);

  std::unique_ptr<ThreadPool> pool_;
  AssayRuntime runtime_;
  std::unique_ptr<Buffer> flush_memory_;  // reused by all flushes
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_
