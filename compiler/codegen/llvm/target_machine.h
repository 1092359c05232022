// Creates the LLVM target machine for a Target.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TARGET_MACHINE_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TARGET_MACHINE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "compiler/target/target.h"
#include "llvm/Target/TargetMachine.h"

namespace assay::codegen {

// Registers the supported LLVM targets. Thread-safe. Only the first call has an
// effect.
void InitializeLlvmTargets();

// Returns the triple of `target` in the form that LLVM uses: with a vendor, and
// with `armv7` instead of `arm`.
std::string LlvmTriple(const target::Target& target);

// Returns the features of `target` as a comma-separated list for LLVM. On
// 32-bit ARM, the list contains `+neon` if the target has NEON, even if the
// processor implies NEON, because some builds of LLVM disable NEON by default.
std::string LlvmFeatures(const target::Target& target);

// Creates a target machine that generates position-independent code.
// `opt_level` must be from 0 to 3. Returns InvalidArgument if LLVM does not
// know the triple, the processor or a feature.
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> CreateTargetMachine(
    const target::Target& target, int opt_level);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TARGET_MACHINE_H_
