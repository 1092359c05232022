// CpuDevice: runs kernels synchronously on the CPUs of this machine with its
// own thread pool. Modules are ELF shared objects for this machine.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_
#define ASSAY_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/abi/abi.h"
#include "runtime/device/cpu/thread_pool.h"
#include "runtime/device/host_memory_device.h"

namespace assay::runtime {

class CpuDevice : public HostMemoryDevice {
 public:
  // If `num_threads` is 0, the pool has UsableCpuCount() threads.
  static absl::StatusOr<std::unique_ptr<CpuDevice>> Create(int num_threads = 0);
  ~CpuDevice() override;

  // The runtime table that is passed to kernels; owned by the device.
  const AssayRuntime* runtime() const { return &runtime_; }

  absl::string_view kind() const override { return "cpu"; }
  absl::string_view code_kind() const override { return ASSAY_CODE_KIND_ELF; }
  int num_threads() const override { return pool_->num_threads(); }
  // Staggers tensors to avoid 4 KiB aliasing: a load waits for an earlier store
  // whose address has the same lower twelve bits. The buffer size is a multiple
  // of huge pages, so another build of the same model fits into it.
  Placement placement() const override;
  absl::Status FlushCaches(int64_t bytes) override;

 private:
  absl::StatusOr<std::unique_ptr<Module>> LoadCode(
      absl::string_view code) override;
  explicit CpuDevice(std::unique_ptr<ThreadPool> pool);

  std::unique_ptr<ThreadPool> pool_;
  AssayRuntime runtime_;
  std::unique_ptr<Buffer> flush_memory_;  // reused by all flushes
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_
