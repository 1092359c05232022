// Conversions between float32 and the 16-bit formats float16 and bfloat16.
//
// Kernels only move and convert 16-bit floats (check_input.h), so 16-bit floats
// are represented as i16 in LLVM. With LLVM's type `half`, a conversion would
// become a library call on processors that have no conversion instruction, and
// kernels must not call libraries.
//
// A conversion to 16 bits rounds to nearest even. A value that is too large
// becomes infinity, NaN stays NaN, and subnormal results are not flushed to
// zero. float16 is converted with F16C or ARM instructions if the target has
// them, and with arithmetic on the bits otherwise. bfloat16, the upper half of
// a float32, is always converted with integer arithmetic, because the AVX-512
// instruction flushes subnormal numbers to zero. round_bfloat16 is defined as
// this instruction.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_FLOAT16_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_FLOAT16_H_

#include "compiler/target/target.h"
#include "llvm/IR/IRBuilder.h"
#include "runtime/base/dtype.h"

namespace assay::codegen {

// Returns the float32 value of `bits`, an i16 or a vector of i16 that holds the
// bits of numbers of type `from`.
llvm::Value* EmitFromFloat16(llvm::IRBuilder<>& builder,
                             const target::Target& target, DType from,
                             llvm::Value* bits);

// Converts `x` to type `to` and returns the bits as an i16 or a vector of i16.
// `x` is a float32 or float64 value, or a vector of such values. Each value is
// rounded only once.
llvm::Value* EmitToFloat16(llvm::IRBuilder<>& builder,
                           const target::Target& target, DType to,
                           llvm::Value* x);

// Returns round_bfloat16(x) (expr/intrinsics.h) of a float32 value or a vector
// of them.
llvm::Value* EmitRoundBFloat16(llvm::IRBuilder<>& builder,
                               const target::Target& target, llvm::Value* x);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_FLOAT16_H_
