// EmitDot: the dot products of expr/intrinsics.h, in the instructions that a
// target has for them.
//
// Vectors of several registers are taken apart into registers. Numbers of lanes
// that fill none, and targets without such instructions, get shifts and
// multiplications.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_DOT_PRODUCT_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_DOT_PRODUCT_H_

#include "compiler/expr/intrinsics.h"
#include "compiler/target/target.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::codegen {

// c, a, b and the result: i32 or vectors of as many i32.
llvm::Value* EmitDot(llvm::IRBuilder<>& builder, const target::Target& target,
                     const expr::DotFactors& factors, llvm::Value* c,
                     llvm::Value* a, llvm::Value* b);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_DOT_PRODUCT_H_
