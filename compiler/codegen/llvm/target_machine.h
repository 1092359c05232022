// From Target to LLVM's own notion of a machine.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TARGET_MACHINE_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TARGET_MACHINE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "compiler/target/target.h"
#include "llvm/Target/TargetMachine.h"

namespace assay::codegen {

// Makes the LLVM targets that we compile for known; once, from any thread.
void InitializeLlvmTargets();

// The triple as LLVM takes it: with a vendor, and with an architecture that
// says which version of it (`armv7` for `arm`).
std::string LlvmTriple(const target::Target& target);

// Features as LLVM takes them. On 32-bit ARM, NEON is named even where the
// processor's name says it: there are builds of LLVM that think otherwise.
std::string LlvmFeatures(const target::Target& target);

// Position-independent code for `target`; opt_level 0 to 3. An error if LLVM
// does not know the processor or a feature.
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> CreateTargetMachine(
    const target::Target& target, int opt_level);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TARGET_MACHINE_H_
