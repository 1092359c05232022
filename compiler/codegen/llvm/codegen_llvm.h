// Code generation with LLVM: kernels of the loop IR to one shared object.
//
//   ASSAY_ASSIGN_OR_RETURN(CodeModule module,
//                          GenerateLlvm(kernels, target, {}));
//
// Input: loop IR after its passes (check_input.h lists the requirements). The
// vectorize and unroll passes have run; a vectorized loop that is left runs as
// a serial one, an unrolled one is unrolled by LLVM. Loops bound to the threads
// of a GPU are rejected.
//
// Output: an ELF shared object for the target that exports each kernel under
// its name as an AssayKernel (runtime/abi/abi.h) and imports nothing. The same
// input gives the same bytes, with any number of threads.
//
// Numbers: multiplications and additions may be fused, and nothing else is
// changed, so two targets differ by that alone. On 32-bit ARM, vectors flush
// subnormal float32 to zero.
//
// Stack: local buffers of up to 64 KiB each are on the thread's stack, larger
// ones in the runtime's workspace like global ones.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_CODEGEN_LLVM_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_CODEGEN_LLVM_H_

#include <vector>

#include "absl/status/statusor.h"
#include "compiler/codegen/backend/backend.h"
#include "compiler/codegen/llvm/object/link.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

// Backend::generate. The dumps are `ll` (LLVM IR as emitted), `opt.ll`
// (optimised) and `s` (assembly, which costs a second run of LLVM's code
// generator). At optimisation level 0 not even accumulators stay in registers.
absl::StatusOr<CodeModule> GenerateLlvm(
    const std::vector<tir::Function>& kernels, const target::Target& target,
    const Options& options);

// The first step of it: one object file per kernel, in their order.
absl::StatusOr<std::vector<KernelObject>> CompileToObjects(
    const std::vector<tir::Function>& kernels, const target::Target& target,
    const Options& options);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_CODEGEN_LLVM_H_
