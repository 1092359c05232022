// ExpandWideIntegers: expands operations on 64-bit integers that 32-bit
// processors lack.
//
// LLVM emits inline code for 64-bit additions and multiplications on 32-bit
// ARM, but library calls for divisions and for conversions from and to floats,
// and kernels must not import anything. Each such instruction is replaced by a
// call of a function in the module:
//
//   %q = sdiv i64 %a, %b   ->   %q = call i64 @sdiv.i64(i64 %a, i64 %b)
//
// with one call per lane for vectors. Quotients are exact and conversions round
// as in IEEE 754. Runs after the optimizer, which can eliminate divisions but
// does not know these functions.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_WIDE_INTEGERS_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_WIDE_INTEGERS_H_

#include "llvm/IR/Module.h"

namespace assay::codegen {

// For modules of 32-bit targets; not needed for others.
void ExpandWideIntegers(llvm::Module& module);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_WIDE_INTEGERS_H_
