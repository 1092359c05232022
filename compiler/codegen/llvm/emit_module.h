// EmitModule: translates one kernel from tir to an unoptimized LLVM module.
//
// The module contains the kernel as an external function with the name of the
// tir function and the type AssayKernel (runtime/abi/abi.h). Each parallel loop
// that is not inside another parallel loop becomes an internal function
// `<kernel>.parallelN`. N is the sequence number of the loop and starts from 0.
// The header emitter.h describes the translation of each construct.
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

// `function` must satisfy CheckInput, and `machine` must be the result of
// CreateTargetMachine for `target`. Returns an Internal error if LLVM's
// verifier rejects the module.
absl::StatusOr<std::unique_ptr<llvm::Module>> EmitModule(
    const tir::Function& function, const target::Target& target,
    const llvm::TargetMachine& machine, llvm::LLVMContext& context);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_EMIT_MODULE_H_
