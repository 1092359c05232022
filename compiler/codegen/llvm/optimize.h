// Optimizes an LLVM module and generates machine code from it.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_OPTIMIZE_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_OPTIMIZE_H_

#include <string>

#include "absl/status/statusor.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace assay::codegen {

// Runs LLVM's default pipeline for `opt_level` (0 to 3). Schedules decide what
// is vectorized and unrolled, so some LLVM passes are restricted:
//   - LLVM unrolls only loops that are marked for unrolling.
//   - The SLP vectorizer is disabled.
//   - The loop vectorizer runs only if `vectorize_loops` is true. Callers
//     should set `vectorize_loops` only for kernels without vector expressions.
void OptimizeModule(llvm::Module& module, llvm::TargetMachine& machine,
                    int opt_level, bool vectorize_loops);

enum class OutputKind { kObject, kAssembly };

// Returns an object file or assembly text. May modify `module`.
absl::StatusOr<std::string> EmitMachineCode(llvm::Module& module,
                                            llvm::TargetMachine& machine,
                                            OutputKind kind);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_OPTIMIZE_H_
