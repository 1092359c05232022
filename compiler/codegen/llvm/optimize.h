// Optimizes an LLVM module and generates machine code from it.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_OPTIMIZE_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_OPTIMIZE_H_

#include <string>

#include "absl/status/statusor.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace assay::codegen {

// Optimizes `module` at level 0 to 3. Schedules decide what is vectorized and
// unrolled: LLVM unrolls only loops that are marked for it, and does not look
// for vectors in straight-line code.
//
// `vectorize_loops`: run LLVM's default pipeline with its loop vectorizer.
// Callers should set it only for kernels without vector expressions. The others
// get a shorter pipeline at levels 2 and 3.
void OptimizeModule(llvm::Module& module, llvm::TargetMachine& machine,
                    int opt_level, bool vectorize_loops);

enum class OutputKind { kObject, kAssembly };

// Returns an object file or assembly text. May modify `module`.
absl::StatusOr<std::string> EmitMachineCode(llvm::Module& module,
                                            llvm::TargetMachine& machine,
                                            OutputKind kind);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_OPTIMIZE_H_
