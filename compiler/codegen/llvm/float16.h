// Conversions between float32 and the 16-bit formats float16 and bfloat16.
//
// Kernels move 16-bit floats and convert them, nothing else (check_input.h), so
// to LLVM they are i16. A value of LLVM's own types for them would become a
// call of a library wherever the processor lacks the conversion, and kernels
// may call nothing.
//
// To the narrower format: to nearest, ties to even; what is too large becomes
// infinite, subnormals are kept, a NaN stays one. float16 is converted by F16C
// and by ARM's instructions where the target has them, and by arithmetic on
// the bits elsewhere; bfloat16, the upper half of a float32, always so:
// AVX-512's instruction drops subnormals.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_FLOAT16_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_FLOAT16_H_

#include "compiler/target/target.h"
#include "llvm/IR/IRBuilder.h"
#include "runtime/base/dtype.h"

namespace assay::codegen {

// The float32 of `bits`, which are i16 of type `from`, scalar or vector.
llvm::Value* EmitFromFloat16(llvm::IRBuilder<>& builder,
                             const target::Target& target, DType from,
                             llvm::Value* bits);

// The bits of `x`, float32 or float64, in type `to`, rounded once.
llvm::Value* EmitToFloat16(llvm::IRBuilder<>& builder,
                           const target::Target& target, DType to,
                           llvm::Value* x);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_FLOAT16_H_
