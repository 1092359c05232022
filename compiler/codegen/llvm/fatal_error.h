// FatalErrorScope: reports the name of the kernel if LLVM fails to compile it.
//
//   const FatalErrorScope scope(kernel.name, target);
//
// If LLVM cannot select an instruction, it terminates the process, possibly
// with exit code 1. The assay tools use exit code 1 to report a performance
// regression. While a FatalErrorScope exists, a fatal error of LLVM in the same
// thread becomes a CHECK failure whose message contains the name of the kernel.
// Such an error is a bug in the compiler: an operation for which the target has
// no instruction must be rejected by CheckInput() or be expanded by the
// emitter.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_FATAL_ERROR_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_FATAL_ERROR_H_

#include <string>

#include "compiler/target/target.h"

namespace assay::codegen {

class FatalErrorScope {
 public:
  // A thread must not have two scopes at the same time.
  FatalErrorScope(const std::string& kernel, const target::Target& target);
  ~FatalErrorScope();
  FatalErrorScope(const FatalErrorScope&) = delete;
  FatalErrorScope& operator=(const FatalErrorScope&) = delete;
};

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_FATAL_ERROR_H_
