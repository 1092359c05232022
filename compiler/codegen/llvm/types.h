// LLVM types and constants for DTypes.
//
// In registers a bool is i1, a float of 16 bits is those bits (float16.h), and
// everything else is what its name says; in memory a bool is a byte. N lanes
// are a fixed vector of N.
#ifndef ASSAY_COMPILER_CODEGEN_LLVM_TYPES_H_
#define ASSAY_COMPILER_CODEGEN_LLVM_TYPES_H_

#include <cstdint>

#include "llvm/IR/Constant.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Type.h"
#include "runtime/base/dtype.h"

namespace assay::codegen {

llvm::Type* RegisterType(llvm::LLVMContext& context, DType type);
llvm::Type* MemoryType(llvm::LLVMContext& context, DType type);

// The value in every lane of `type`.
llvm::Constant* IntConstant(llvm::LLVMContext& context, DType type,
                            int64_t value);
llvm::Constant* FloatConstant(llvm::LLVMContext& context, DType type,
                              double value);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TYPES_H_
