// HandleFatalErrors: turns the fatal errors of LLVM into failed checks.
//
// If LLVM cannot select an instruction, it terminates the process, possibly
// with exit code 1. The assay tools use exit code 1 to report a performance
// regression. After a call of HandleFatalErrors(), such an error is a CHECK
// failure, which reports the kernel (KernelScope in backend/backend.h) and the
// target. Such an error is a bug in the compiler: an operation for which the
// target has no instruction must be rejected by CheckInput() or be expanded by
// the emitter.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_FATAL_ERROR_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_FATAL_ERROR_H_

namespace assay::codegen {

// Thread-safe. Only the first call has an effect, which lasts until the process
// ends.
void HandleFatalErrors();

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_FATAL_ERROR_H_
