// CheckInput: checks that a tir function is in the form that code generation
// accepts. The verifier (tir/verifier.h) checks the rules for all programs;
// this checks the postconditions of the passes before code generation.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_CHECK_INPUT_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_CHECK_INPUT_H_

#include "absl/status/status.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

// - the name is an identifier;
// - loads and stores have one index (the flatten pass);
// - no intrinsics that lower_intrinsics expands, no Read and no Reduce;
// - no arithmetic on 16-bit floats, and no fma on float64 if the processor has
//   no fused multiply-add: Unimplemented;
// - no threads of a GPU (tir/thread_pragma.h): Unimplemented.
// The error names the function and the expression.
absl::Status CheckInput(const tir::Function& function,
                        const target::Target& target);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_CHECK_INPUT_H_
