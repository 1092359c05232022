// Compiles loop-IR kernels to one shared object with LLVM.
//
//   ASSAY_ASSIGN_OR_RETURN(CodeModule module,
//                          GenerateLlvm(kernels, target, {}));
//
// Input: check_input.h lists the requirements. The vectorize and unroll passes
// must have run. If they have left a vectorized loop, it is emitted as a serial
// loop. If they have left a loop of kind ForKind::kUnrolled, it is marked for
// full unrolling by LLVM.
//
// Output: an ELF shared object for the target. It exports each kernel under its
// name as an AssayKernel (runtime/abi/abi.h) and has no undefined symbols.
// Equal inputs result in equal bytes, for every number of threads.
//
// Floating point: a multiplication and an addition may be contracted to a fused
// multiply-add; no other value-changing transformation is allowed. On 32-bit
// ARM, vector instructions flush subnormal float32 values to zero.
//
// Memory: a local buffer of at most 64 KiB is allocated on the thread's stack.
// Global buffers, and local buffers of more than 64 KiB, are allocated with
// workspace_alloc of the runtime (abi.h).
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_CODEGEN_LLVM_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_CODEGEN_LLVM_H_

#include <vector>

#include "absl/status/statusor.h"
#include "compiler/codegen/backend/backend.h"
#include "compiler/codegen/llvm/object/link.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

// Implements Backend::generate for TargetKind::kLlvm. The dumps are `ll` (LLVM
// IR before optimization), `opt.ll` (optimized LLVM IR) and `s` (assembly, for
// which LLVM's code generator runs a second time). At optimization level 0, all
// local buffers stay in memory, even accumulators.
absl::StatusOr<CodeModule> GenerateLlvm(
    const std::vector<tir::Function>& kernels, const target::Target& target,
    const Options& options);

// Compiles each kernel to an object file, in the order of `kernels`.
// GenerateLlvm() links these object files. Returns InvalidArgument if
// options.opt_level is not from 0 to 3.
absl::StatusOr<std::vector<KernelObject>> CompileToObjects(
    const std::vector<tir::Function>& kernels, const target::Target& target,
    const Options& options);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_CODEGEN_LLVM_H_
