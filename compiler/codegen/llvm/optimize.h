// From a module as the emitter made it to an object file.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_OPTIMIZE_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_OPTIMIZE_H_

#include <string>

#include "absl/status/statusor.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace assay::codegen {

// Runs LLVM's pipeline for `opt_level` (0 to 3). Schedules decide what is
// vectorised and unrolled: LLVM's own unroller only does what is marked, its
// SLP vectoriser nothing, and its loop vectoriser runs only if
// `vectorize_loops`, which is meant for kernels that no schedule touched.
void OptimizeModule(llvm::Module& module, llvm::TargetMachine& machine,
                    int opt_level, bool vectorize_loops);

enum class OutputKind { kObject, kAssembly };

// May alter the module; print it before.
absl::StatusOr<std::string> EmitMachineCode(llvm::Module& module,
                                            llvm::TargetMachine& machine,
                                            OutputKind kind);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_OPTIMIZE_H_
