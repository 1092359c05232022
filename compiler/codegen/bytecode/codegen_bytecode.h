// Compiles loop-IR kernels to bytecode for the interpreter
// (runtime/device/interpreter).
//
// The loop passes of TargetKind::kBytecode must have run. Vector expressions,
// which only tensorized stages contain, are computed lane by lane. All loops
// are executed serially, including parallel loops and loops that are bound to
// GPU threads.
#ifndef ASSAY_COMPILER_CODEGEN_BYTECODE_CODEGEN_BYTECODE_H_
#define ASSAY_COMPILER_CODEGEN_BYTECODE_CODEGEN_BYTECODE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "compiler/codegen/backend/backend.h"
#include "compiler/target/target.h"
#include "compiler/tir/stmt.h"

namespace assay::codegen {

// Implements Backend::generate for TargetKind::kBytecode. Returns
// Unimplemented, with the name of the kernel, if the kernel contains a dot
// product or a reinterpretation that changes the number of lanes.
absl::StatusOr<CodeModule> GenerateBytecode(
    const std::vector<tir::Function>& kernels, const target::Target& target,
    const Options& options);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_BYTECODE_CODEGEN_BYTECODE_H_
