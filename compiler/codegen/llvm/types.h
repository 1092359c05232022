// LLVM types and constants for DTypes.
//
// In registers a bool is i1, a 16-bit float is an i16 with its bits
// (float16.h), and all other types map to the LLVM type of the same name; in
// memory a bool is one byte. N lanes are a fixed vector of N elements.
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

// A constant with this value in all lanes.
llvm::Constant* IntConstant(llvm::LLVMContext& context, DType type,
                            int64_t value);
llvm::Constant* FloatConstant(llvm::LLVMContext& context, DType type,
                              double value);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TYPES_H_
