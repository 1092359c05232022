// Code generation for the interpreter (runtime/device/interpreter): kernels of
// the loop IR to its bytecode.
//
// Input: loop IR after the passes of kind kBytecode. Vector expressions, which
// come from tensorized stages, are computed lane by lane. All loops run in
// order, also parallel ones and those bound to the threads of a GPU.
#ifndef ASSAY_COMPILER_CODEGEN_BYTECODE_CODEGEN_BYTECODE_H_
#define ASSAY_COMPILER_CODEGEN_BYTECODE_CODEGEN_BYTECODE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "compiler/codegen/backend/backend.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

// Backend::generate. Unimplemented, naming the kernel, for dot products and for
// a reinterpretation that changes the number of lanes.
absl::StatusOr<CodeModule> GenerateBytecode(
    const std::vector<tir::Function>& kernels, const target::Target& target,
    const Options& options);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_BYTECODE_CODEGEN_BYTECODE_H_
