// ExpandWideIntegers: arithmetic on 64-bit integers for processors that have
// none of it.
//
// A 32-bit ARM adds and multiplies 64-bit integers in a few instructions, but
// LLVM calls a library to divide them and to convert them from and to floats,
// and kernels import nothing. Each such instruction becomes a call of a
// function inside of the module:
//
//   %q = sdiv i64 %a, %b   ->   %q = call i64 @sdiv.i64(i64 %a, i64 %b)
//
// one call per lane where it was a vector. Quotients are exact and conversions
// round as IEEE 754 says. Runs after the optimiser, which knows how to avoid
// divisions and does not know these functions.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_WIDE_INTEGERS_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_WIDE_INTEGERS_H_

#include "llvm/IR/Module.h"

namespace assay::codegen {

// For modules of 32-bit targets; others need nothing of it.
void ExpandWideIntegers(llvm::Module& module);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_WIDE_INTEGERS_H_
