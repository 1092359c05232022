// EmitDot: emits the dot products of expr/intrinsics.h with the instructions of
// the target.
//
// Long vectors are split into registers. Shifts and multiplications are used
// for targets without suitable instructions, and if the lanes do not fill
// registers.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_DOT_PRODUCT_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_DOT_PRODUCT_H_

#include "compiler/expr/intrinsics.h"
#include "compiler/target/target.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::codegen {

// c, a, b and the result are i32, or vectors of i32 with the same number of
// lanes.
llvm::Value* EmitDot(llvm::IRBuilder<>& builder, const target::Target& target,
                     const expr::DotFactors& factors, llvm::Value* c,
                     llvm::Value* a, llvm::Value* b);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_DOT_PRODUCT_H_
