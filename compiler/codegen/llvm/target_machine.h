// Creates the LLVM target machine for a Target.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TARGET_MACHINE_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TARGET_MACHINE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "compiler/target/target.h"
#include "llvm/Target/TargetMachine.h"

namespace assay::codegen {

// Registers the supported LLVM targets. Thread-safe; only the first call has an
// effect.
void InitializeLlvmTargets();

// The triple in LLVM's form: with a vendor, and with the version of the
// architecture (`armv7` for `arm`).
std::string LlvmTriple(const target::Target& target);

// The features in LLVM's form. On 32-bit ARM, NEON is always listed, even if
// the processor implies it, because some builds of LLVM disable it by default.
std::string LlvmFeatures(const target::Target& target);

// A target machine for position-independent code; opt_level is 0 to 3. Returns
// an error if LLVM does not know the processor or a feature.
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> CreateTargetMachine(
    const target::Target& target, int opt_level);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TARGET_MACHINE_H_
