// InterpreterDevice: runs bytecode (program.h) on the calling thread.
//
// The interpreter runs on every processor, even if there is no code generator
// for the processor. It is also an example of what a device must implement. It
// is slow: one scalar instruction takes some nanoseconds.
#ifndef ASSAY_RUNTIME_DEVICE_INTERPRETER_INTERPRETER_DEVICE_H_
#define ASSAY_RUNTIME_DEVICE_INTERPRETER_INTERPRETER_DEVICE_H_

#include <memory>

#include "runtime/device/host_memory_device.h"
#include "runtime/device/interpreter/program.h"

namespace assay::runtime {

class InterpreterDevice : public HostMemoryDevice {
 public:
  // Returns InvalidArgument unless `num_threads` is 0 or 1. Both values mean
  // one thread.
  static absl::StatusOr<std::unique_ptr<InterpreterDevice>> Create(
      int num_threads = 0);

  absl::string_view kind() const override { return "interpreter"; }
  absl::string_view code_kind() const override { return kBytecodeKind; }
  int num_threads() const override { return 1; }
  absl::Status FlushCaches(int64_t bytes) override;

 private:
  absl::StatusOr<std::unique_ptr<Module>> LoadCode(
      absl::string_view code, uint64_t placement_seed) override;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_INTERPRETER_INTERPRETER_DEVICE_H_
