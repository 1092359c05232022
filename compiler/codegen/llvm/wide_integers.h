// ExpandWideIntegers: expands operations on 64-bit integers for which 32-bit
// processors have no instructions.
//
// On 32-bit ARM, LLVM emits inline code for 64-bit additions and
// multiplications. For 64-bit divisions, remainders and conversions from and to
// floats it emits library calls, but kernels must not import symbols. Therefore
// each of these instructions is replaced by a call of a function that is added
// to the module:
//
//   %q = sdiv i64 %a, %b   ->   %q = call i64 @sdiv.i64.i64(i64 %a, i64 %b)
//
// A vector instruction is replaced by one call per lane. Quotients are exact,
// and conversions round as in IEEE 754. ExpandWideIntegers must run after the
// optimizer, because the optimizer can eliminate divisions but not calls of
// these functions.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_WIDE_INTEGERS_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_WIDE_INTEGERS_H_

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace assay::codegen {

// Emits code that makes rounding `x`, an i64 or a vector of them, to float64
// and then to a narrower float type the same as rounding it once: of an integer
// that float64 cannot represent, the lowest eleven bits become a sticky bit.
// The result is exact in float64.
llvm::Value* EmitStickyBits(llvm::IRBuilder<>& builder, llvm::Value* x,
                            bool is_signed);

// Modifies `module`. Only modules for 32-bit targets need this expansion.
void ExpandWideIntegers(llvm::Module& module);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_WIDE_INTEGERS_H_
