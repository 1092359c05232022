// EmitModule: one kernel's tir as an LLVM module, not yet optimised.
//
// The module holds the kernel as abi.h describes it, under the function's
// name, and one internal function `<name>.parallelN` per parallel loop. What
// the emitter makes of each construct is in emitter.h.
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

// The function must be in the form that check_input.h demands. `machine`
// belongs to `target`. Internal error if LLVM rejects what was made.
absl::StatusOr<std::unique_ptr<llvm::Module>> EmitModule(
    const tir::Function& function, const target::Target& target,
    const llvm::TargetMachine& machine, llvm::LLVMContext& context);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_EMIT_MODULE_H_
