// FatalErrorScope: names the kernel that LLVM fails to compile.
//
//   const FatalErrorScope scope(kernel.name, target);
//
// LLVM terminates the process if it cannot select an instruction, possibly with
// exit code 1, which means a regression. While a scope is active, a fatal error
// of LLVM in its thread becomes a CHECK failure that names the kernel. Kernels
// should not get there: check_input.h rejects unsupported operations, or the
// emitter expands them.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_FATAL_ERROR_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_FATAL_ERROR_H_

#include <string>

#include "compiler/target/target.h"

namespace assay::codegen {

class FatalErrorScope {
 public:
  // Scopes of the same thread must not nest.
  FatalErrorScope(const std::string& kernel, const target::Target& target);
  ~FatalErrorScope();
  FatalErrorScope(const FatalErrorScope&) = delete;
  FatalErrorScope& operator=(const FatalErrorScope&) = delete;
};

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_FATAL_ERROR_H_
