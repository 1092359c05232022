// CpuDevice: runs kernels synchronously on the CPUs of this machine. Each
// CpuDevice has its own thread pool. It loads code of kind ASSAY_CODE_KIND_ELF,
// that is, ELF shared objects. They must be compiled for this machine.
#ifndef ASSAY_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_
#define ASSAY_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/abi/abi.h"
#include "runtime/device/cpu/chunk_event.h"
#include "runtime/device/cpu/thread_pool.h"
#include "runtime/device/host_memory_device.h"

namespace assay::runtime {

class CpuDevice : public HostMemoryDevice {
 public:
  // If `num_threads` is 0, the pool has UsableCpuCount() threads.
  static absl::StatusOr<std::unique_ptr<CpuDevice>> Create(int num_threads = 0);
  ~CpuDevice() override;

  // Returns the table of runtime functions that is passed to kernels
  // (runtime/abi). The device owns the table.
  const AssayRuntime* runtime() const { return &runtime_; }

  absl::string_view kind() const override { return "cpu"; }
  absl::string_view code_kind() const override { return ASSAY_CODE_KIND_ELF; }
  int num_threads() const override { return pool_->num_threads(); }
  // Places tensors at different offsets within their pages, to avoid 4 KiB
  // aliasing: a load can be delayed by an earlier store to another address with
  // the same lower twelve bits. The size of the buffer that contains the
  // tensors is a multiple of the size of a huge page. Therefore the tensors of
  // another build of the same model usually fit into the same buffer.
  Placement placement() const override;
  absl::Status FlushCaches(int64_t bytes) override;

  // As ThreadPool::StartTrace() and StopTrace().
  void StartTrace() { pool_->StartTrace(); }
  std::vector<ChunkEvent> StopTrace() { return pool_->StopTrace(); }

 private:
  absl::StatusOr<std::unique_ptr<Module>> LoadCode(
      absl::string_view code, uint64_t placement_seed) override;
  explicit CpuDevice(std::unique_ptr<ThreadPool> pool);

  std::unique_ptr<ThreadPool> pool_;
  AssayRuntime runtime_;
  // Memory that FlushCaches() accesses; kept for the next call.
  std::unique_ptr<Buffer> flush_memory_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_CPU_CPU_DEVICE_H_
