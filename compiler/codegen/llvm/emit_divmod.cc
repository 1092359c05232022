// FunctionEmitter: integer division and remainder, rounded towards minus
// infinity.
#include "compiler/codegen/llvm/emitter.h"
#include "compiler/expr/expr_ops.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

namespace assay::codegen {

using expr::ExprKind;

// 32-bit ARM processors may have no divide instruction, and LLVM would emit a
// call. The quotient of 32-bit integers computed in float64 is exact after
// truncation.
llvm::Value* FunctionEmitter::EmitTruncatingDiv(bool is_signed, llvm::Value* a,
                                                llvm::Value* b) {
  llvm::Type* type = a->getType();
  const bool by_call = kernel_.target.arch() == target::Arch::kArm &&
                       !llvm::isa<llvm::Constant>(b) &&
                       type->getScalarSizeInBits() <= 32;
  if (!by_call) {
    return is_signed ? builder_.CreateSDiv(a, b) : builder_.CreateUDiv(a, b);
  }
  llvm::Type* wide = type->getWithNewType(builder_.getDoubleTy());
  const auto widen = [&](llvm::Value* x) {
    return is_signed ? builder_.CreateSIToFP(x, wide)
                     : builder_.CreateUIToFP(x, wide);
  };
  llvm::Value* quotient = builder_.CreateFDiv(widen(a), widen(b));
  return is_signed ? builder_.CreateFPToSI(quotient, type)
                   : builder_.CreateFPToUI(quotient, type);
}

llvm::Value* FunctionEmitter::EmitDivMod(const Expr& e, llvm::Value* a,
                                         llvm::Value* b) {
  const bool is_div = e.kind() == ExprKind::kDiv;
  const Expr& dividend = is_div ? e.As<expr::Div>()->a : e.As<expr::Mod>()->a;
  const Expr& divisor = is_div ? e.As<expr::Div>()->b : e.As<expr::Mod>()->b;
  const std::optional<int64_t> constant = expr::AsConstInt(divisor);
  llvm::Type* type = a->getType();

  // An arithmetic shift rounds down, whatever the sign.
  if (constant.has_value() && *constant > 0 && e.dtype().is_int() &&
      llvm::isPowerOf2_64(*constant)) {
    return is_div ? builder_.CreateAShr(a, llvm::Log2_64(*constant))
                  : builder_.CreateAnd(
                        a, llvm::ConstantInt::get(type, *constant - 1));
  }
  const bool rounds_down =
      !e.dtype().is_int() || (tir::ConstBounds(dividend, bounds_).min >= 0 &&
                              tir::ConstBounds(divisor, bounds_).min >= 0);
  llvm::Value* quotient = EmitTruncatingDiv(!rounds_down, a, b);
  if (is_div && rounds_down) return quotient;
  llvm::Value* remainder =
      builder_.CreateSub(a, builder_.CreateMul(quotient, b));
  if (rounds_down) return remainder;
  // Truncation rounded up if the remainder is not zero and has the opposite
  // sign.
  llvm::Value* zero = llvm::Constant::getNullValue(type);
  llvm::Value* went_up = builder_.CreateAnd(
      builder_.CreateICmpNE(remainder, zero),
      builder_.CreateICmpSLT(builder_.CreateXor(remainder, b), zero));
  if (is_div) {
    return builder_.CreateAdd(quotient, builder_.CreateSExt(went_up, type));
  }
  return builder_.CreateAdd(remainder, builder_.CreateSelect(went_up, b, zero));
}

}  // namespace assay::codegen
