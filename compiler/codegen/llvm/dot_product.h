// EmitDot: generates code for a dot product intrinsic (expr/intrinsics.h). The
// code uses the dot product instructions of the target.
//
// A vector that is longer than a register is split into parts of the size of a
// register. If the target has no suitable instruction, or if the vector cannot
// be split into such parts, shifts and multiplications are emitted instead.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_DOT_PRODUCT_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_DOT_PRODUCT_H_

#include "compiler/expr/intrinsics.h"
#include "compiler/target/target.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::codegen {

// Returns `c` plus the dot product of `a` and `b`. c, a, b and the result have
// the same type, which must be i32 or a vector of i32. Each i32 of `a` and `b`
// contains several narrow integers (`factors`), which are multiplied pairwise.
llvm::Value* EmitDot(llvm::IRBuilder<>& builder, const target::Target& target,
                     const expr::DotFactors& factors, llvm::Value* c,
                     llvm::Value* a, llvm::Value* b);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_DOT_PRODUCT_H_
