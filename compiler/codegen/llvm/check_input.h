// CheckInput: whether a tir function is in the form that code generation
// takes. The verifier (tir/verifier.h) checks what holds for every program;
// this checks what the passes before code generation leave behind.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_CHECK_INPUT_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_CHECK_INPUT_H_

#include "absl/status/status.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

// - the name is an identifier;
// - loads and stores have one index (the flatten pass);
// - no exp, log, tanh or sigmoid (the pass that expands them), no Read and no
//   Reduce;
// - no 16-bit float arithmetic and, where the processor has no fused
//   multiply-add, no fma on float64: Unimplemented.
// The error names the function and the expression.
absl::Status CheckInput(const tir::Function& function,
                        const target::Target& target);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_CHECK_INPUT_H_
