// EmitModule: translates one kernel from tir to an unoptimized LLVM module.
//
// The module contains the kernel under the function's name with the interface
// of abi.h, and one internal function `<name>.parallelN` per parallel loop. The
// translation of each construct is described in emitter.h.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_EMIT_MODULE_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_EMIT_MODULE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace assay::codegen {

// The function must satisfy CheckInput, and `machine` must belong to `target`.
// Returns an Internal error if LLVM's verifier rejects the module.
absl::StatusOr<std::unique_ptr<llvm::Module>> EmitModule(
    const tir::Function& function, const target::Target& target,
    const llvm::TargetMachine& machine, llvm::LLVMContext& context);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_EMIT_MODULE_H_
