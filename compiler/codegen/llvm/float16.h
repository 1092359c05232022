// Conversions between float32 and the 16-bit formats float16 and bfloat16.
//
// Kernels only move and convert 16-bit floats (check_input.h), so they are
// represented as i16 in LLVM. With LLVM's half types, conversions would become
// library calls on processors without instructions for them, and kernels must
// not call libraries.
//
// Narrowing rounds to nearest even, overflows to infinity, keeps subnormals and
// maps NaN to NaN. float16 is converted by F16C or ARM instructions if the
// target has them, and by integer arithmetic otherwise. bfloat16, the upper
// half of a float32, is always converted by integer arithmetic, because the
// AVX-512 instruction flushes subnormals.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_FLOAT16_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_FLOAT16_H_

#include "compiler/target/target.h"
#include "llvm/IR/IRBuilder.h"
#include "runtime/base/dtype.h"

namespace assay::codegen {

// The float32 value of `bits`, an i16 (or vector) in format `from`.
llvm::Value* EmitFromFloat16(llvm::IRBuilder<>& builder,
                             const target::Target& target, DType from,
                             llvm::Value* bits);

// The bits of `x`, float32 or float64, in format `to`, rounded once.
llvm::Value* EmitToFloat16(llvm::IRBuilder<>& builder,
                           const target::Target& target, DType to,
                           llvm::Value* x);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_FLOAT16_H_
