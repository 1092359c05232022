// Optimizes an emitted module and generates machine code.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_OPTIMIZE_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_OPTIMIZE_H_

#include <string>

#include "absl/status/statusor.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace assay::codegen {

// Runs LLVM's pipeline for `opt_level` (0 to 3). Schedules decide what is
// vectorized and unrolled: LLVM unrolls marked loops only, its SLP vectorizer
// is off, and its loop vectorizer runs only if `vectorize_loops` is set, which
// is meant for kernels without a schedule.
void OptimizeModule(llvm::Module& module, llvm::TargetMachine& machine,
                    int opt_level, bool vectorize_loops);

enum class OutputKind { kObject, kAssembly };

// May modify the module; print it before.
absl::StatusOr<std::string> EmitMachineCode(llvm::Module& module,
                                            llvm::TargetMachine& machine,
                                            OutputKind kind);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_OPTIMIZE_H_
