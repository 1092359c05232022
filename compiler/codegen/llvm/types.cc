#include "compiler/codegen/llvm/types.h"

#include "compiler/expr/numeric.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "runtime/base/check.h"

namespace assay::codegen {
namespace {

llvm::Type* ScalarType(llvm::LLVMContext& context, DType type, int bool_bits) {
  switch (type.code()) {
    case DType::Code::kFloat:
      if (type.bits() == 16) return llvm::Type::getInt16Ty(context);
      if (type.bits() == 32) return llvm::Type::getFloatTy(context);
      CHECK_EQ(type.bits(), 64) << type;
      return llvm::Type::getDoubleTy(context);
    case DType::Code::kBFloat:
      return llvm::Type::getInt16Ty(context);
    case DType::Code::kInt:
    case DType::Code::kUInt:
      return llvm::IntegerType::get(context, type.bits());
    case DType::Code::kBool:
      return llvm::IntegerType::get(context, bool_bits);
  }
  return nullptr;
}

llvm::Type* WithLanes(llvm::Type* scalar, DType type) {
  if (type.is_scalar()) return scalar;
  return llvm::FixedVectorType::get(scalar, type.lanes());
}

}  // namespace

llvm::Type* RegisterType(llvm::LLVMContext& context, DType type) {
  return WithLanes(ScalarType(context, type, 1), type);
}

llvm::Type* MemoryType(llvm::LLVMContext& context, DType type) {
  return WithLanes(ScalarType(context, type, 8), type);
}

llvm::Constant* IntConstant(llvm::LLVMContext& context, DType type,
                            int64_t value) {
  return llvm::ConstantInt::get(RegisterType(context, type),
                                static_cast<uint64_t>(value),
                                /*IsSigned=*/true);
}

llvm::Constant* FloatConstant(llvm::LLVMContext& context, DType type,
                              double value) {
  if (type.bits() == 16) {
    return llvm::ConstantInt::get(RegisterType(context, type),
                                  expr::FloatToBits(type, value));
  }
  return llvm::ConstantFP::get(RegisterType(context, type), value);
}

}  // namespace assay::codegen
