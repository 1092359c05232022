// RunBytecode: one run of a kernel of a Program.
//
// Memory outside of the kernel's buffers is never accessed, whatever the
// program: an access beyond a buffer and a division by zero end the run with an
// error.
#ifndef ASSAY_RUNTIME_DEVICE_INTERPRETER_RUN_KERNEL_H_
#define ASSAY_RUNTIME_DEVICE_INTERPRETER_RUN_KERNEL_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/device/interpreter/program.h"

namespace assay::runtime {

// `kernel` comes from ParseProgram(). `parameters` are the addresses of its
// parameters, each with as many elements as the kernel declares. Errors name
// the kernel: ResourceExhausted if there is no memory for its local buffers,
// otherwise Internal.
absl::Status RunBytecode(const BytecodeKernel& kernel,
                         absl::Span<char* const> parameters);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_INTERPRETER_RUN_KERNEL_H_
