// InterpreterDevice: runs bytecode (program.h) on the calling thread.
//
// It needs no code generator for the processor it runs on, and shows what a
// device has to implement. It is slow: some nanoseconds per scalar instruction.
#ifndef ASSAY_RUNTIME_DEVICE_INTERPRETER_INTERPRETER_DEVICE_H_
#define ASSAY_RUNTIME_DEVICE_INTERPRETER_INTERPRETER_DEVICE_H_

#include <memory>

#include "runtime/device/host_memory_device.h"
#include "runtime/device/interpreter/program.h"

namespace assay::runtime {

class InterpreterDevice : public HostMemoryDevice {
 public:
  // `num_threads` is 0 or 1.
  static absl::StatusOr<std::unique_ptr<InterpreterDevice>> Create(
      int num_threads = 0);

  absl::string_view kind() const override { return "interpreter"; }
  absl::string_view code_kind() const override { return kBytecodeKind; }
  int num_threads() const override { return 1; }
  absl::Status FlushCaches(int64_t bytes) override;

 private:
  absl::StatusOr<std::unique_ptr<Module>> LoadCode(
      absl::string_view code) override;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_INTERPRETER_INTERPRETER_DEVICE_H_
