// FatalErrorScope: which kernel LLVM gave up on.
//
//   const FatalErrorScope scope(kernel.name, target);
//
// LLVM ends the process where it knows no instruction for something, which no
// caller can undo; it may do so by exit code 1, which says that there is a
// regression. While a scope lives, the end of its thread is a failed check that
// names the kernel. What reaches LLVM should not end so: check_input.h refuses
// it, or the emitter spells it out.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_FATAL_ERROR_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_FATAL_ERROR_H_

#include <string>

#include "compiler/target/target.h"

namespace assay::codegen {

class FatalErrorScope {
 public:
  // Scopes of one thread do not nest.
  FatalErrorScope(const std::string& kernel, const target::Target& target);
  ~FatalErrorScope();
  FatalErrorScope(const FatalErrorScope&) = delete;
  FatalErrorScope& operator=(const FatalErrorScope&) = delete;
};

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_FATAL_ERROR_H_
