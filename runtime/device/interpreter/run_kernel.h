// RunBytecode: runs a kernel of a Program once.
//
// Never accesses memory outside the kernel's buffers, whatever the program
// does: an access outside a buffer or an integer division by zero ends the run
// with an error.
#ifndef ASSAY_RUNTIME_DEVICE_INTERPRETER_RUN_KERNEL_H_
#define ASSAY_RUNTIME_DEVICE_INTERPRETER_RUN_KERNEL_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/device/interpreter/program.h"

namespace assay::runtime {

// Requires that `kernel` was returned by ParseProgram(). `parameters` must hold
// the address of each parameter; each address must point to at least as many
// elements as the kernel declares for the parameter. Returns ResourceExhausted
// if there is not enough memory for the local buffers, and Internal for an
// invalid access or a division by zero. Errors name the kernel.
absl::Status RunBytecode(const BytecodeKernel& kernel,
                         absl::Span<char* const> parameters);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_INTERPRETER_RUN_KERNEL_H_
