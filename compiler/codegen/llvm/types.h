// The LLVM types and constants that correspond to DTypes.
//
//   DType                in registers  in memory
//   bool                 i1            i8
//   16-bit float         i16           i16
//   float32              float         float
//   float64              double        double
//   integer of N bits    iN            iN
//
// The i16 of a 16-bit float contains the bits of the number (float16.h).
//
// A DType with several lanes corresponds to a vector of fixed length.
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

// Return a constant of RegisterType(context, type) with `value` in all lanes.
llvm::Constant* IntConstant(llvm::LLVMContext& context, DType type,
                            int64_t value);
llvm::Constant* FloatConstant(llvm::LLVMContext& context, DType type,
                              double value);

}  // namespace assay::codegen

#endif  // ASSAY_COMPILER_CODEGEN_LLVM_TYPES_H_
