// CheckInput: checks that a tir function has the form that code generation with
// LLVM accepts. The verifier (tir/verifier.h) checks the rules for all
// programs; CheckInput checks the additional requirements of this code
// generator.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_CHECK_INPUT_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_CHECK_INPUT_H_

#include "absl/status/status.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

// Returns OK if `function` satisfies all of these requirements:
//   - The name of the function is an identifier (else InvalidArgument).
//   - Every load and store has one index (else Internal).
//   - There is no Read, no Reduce and no intrinsic that the lower_intrinsics
//     pass expands (else Internal).
//   - There is no arithmetic on 16-bit floats (else Unimplemented).
//   - There is no fma on float64 if the processor has no fused multiply-add
//     (else Unimplemented).
//   - There is no tile product (expr/intrinsics.h) if the processor has no
//     matrix unit for its types (else Unimplemented). The factors of tile
//     products are loads of consecutive elements (else Internal).
//   - No statement is bound to GPU threads (tir/thread_pragma.h; else
//     Unimplemented).
// Errors name the function and describe the violation.
absl::Status CheckInput(const tir::Function& function,
                        const target::Target& target);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_CHECK_INPUT_H_
