// FunctionEmitter: intrinsics. Operations without an instruction on the target
// are expanded, because kernels cannot call a math library.
#include "compiler/codegen/llvm/dot_product.h"
#include "compiler/codegen/llvm/emitter.h"
#include "compiler/codegen/llvm/float16.h"
#include "compiler/codegen/llvm/types.h"
#include "compiler/expr/printer.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"
#include "runtime/base/check.h"

namespace assay::codegen {
namespace {

using expr::Intrinsic;

bool HasRounding(const target::Target& target) {
  switch (target.arch()) {
    case target::Arch::kX86_64:
      return target.HasFeature("sse4.1");
    case target::Arch::kAArch64:
      return true;
    case target::Arch::kArm:
      return target.HasFeature("fp-armv8");
    case target::Arch::kNone:
      break;
  }
  return false;
}

// LLVM cannot select roundeven for vectors on 32-bit ARM; rint is equivalent in
// the default rounding mode.
llvm::Intrinsic::ID ToNearest(const target::Target& target) {
  return target.arch() == target::Arch::kArm ? llvm::Intrinsic::rint
                                             : llvm::Intrinsic::roundeven;
}

}  // namespace

llvm::Value* FunctionEmitter::EmitCall(const expr::Call& call) {
  if (expr::FindTileFactors(call.intrinsic) != nullptr) {
    return EmitTileProduct(call);
  }
  std::vector<llvm::Value*> args;
  for (const Expr& arg : call.args) args.push_back(Emit(arg));
  llvm::Value* x = args[0];
  switch (call.intrinsic) {
    case Intrinsic::kSqrt:
      return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
    case Intrinsic::kFloor:
    case Intrinsic::kCeil:
    case Intrinsic::kRound:
      return EmitRounding(call.intrinsic, x);
    case Intrinsic::kAbs:
      if (call.dtype.is_float()) {
        return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
      }
      if (!call.dtype.is_int()) return x;
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x,
                                            builder_.getFalse());
    case Intrinsic::kFma:
      return EmitFma(call.dtype, x, args[1], args[2]);
    case Intrinsic::kShiftLeft:
      return builder_.CreateShl(x, args[1]);
    case Intrinsic::kShiftRight:
      return call.dtype.is_int() ? builder_.CreateAShr(x, args[1])
                                 : builder_.CreateLShr(x, args[1]);
    case Intrinsic::kBitwiseAnd:
      return builder_.CreateAnd(x, args[1]);
    case Intrinsic::kBitwiseOr:
      return builder_.CreateOr(x, args[1]);
    case Intrinsic::kBitwiseXor:
      return builder_.CreateXor(x, args[1]);
    case Intrinsic::kRoundBFloat16:
      return EmitRoundBFloat16(builder_, kernel_.target, x);
    case Intrinsic::kReinterpret:
      return builder_.CreateBitCast(
          x, RegisterType(kernel_.context(), call.dtype));
    case Intrinsic::kDot4U8S8:
    case Intrinsic::kDot4S8S8:
    case Intrinsic::kDot4U8U8:
    case Intrinsic::kDot2S16:
      return EmitDot(builder_, kernel_.target,
                     *expr::FindDotFactors(call.intrinsic), x, args[1],
                     args[2]);
    case Intrinsic::kTileDot4U8S8:
    case Intrinsic::kTileDot4S8S8:
    case Intrinsic::kTileDot4S8U8:
    case Intrinsic::kTileDot4U8U8:
    case Intrinsic::kTileDot2BF16:
#define ASSAY_CASE(Name, name, arity) case Intrinsic::k##Name:
      ASSAY_ELEMENTARY_INTRINSICS(ASSAY_CASE)
#undef ASSAY_CASE
      break;
  }
  CHECK(false) << "`" << expr::IntrinsicName(call.intrinsic)
               << "` should have been expanded";
  return nullptr;
}

// Without an instruction: adding and subtracting 2^(mantissa bits) rounds
// smaller numbers to the nearest integer, ties to even; larger ones, infinities
// and NaN are not changed.
llvm::Value* FunctionEmitter::EmitRounding(Intrinsic intrinsic,
                                           llvm::Value* x) {
  if (HasRounding(kernel_.target)) {
    const llvm::Intrinsic::ID id =
        intrinsic == Intrinsic::kFloor  ? llvm::Intrinsic::floor
        : intrinsic == Intrinsic::kCeil ? llvm::Intrinsic::ceil
                                        : ToNearest(kernel_.target);
    return builder_.CreateUnaryIntrinsic(id, x);
  }
  llvm::Type* type = x->getType();
  const auto constant = [&](double value) {
    return llvm::ConstantFP::get(type, value);
  };
  const auto with_sign_of_x = [&](llvm::Value* magnitude) {
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude,
                                          x);
  };
  const int mantissa_bits = type->getScalarType()->getFPMantissaWidth() - 1;
  const double whole_from = static_cast<double>(int64_t{1} << mantissa_bits);
  llvm::Value* magnitude =
      builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  llvm::Value* shift = with_sign_of_x(constant(whole_from));
  llvm::Value* rounded =
      builder_.CreateFSub(builder_.CreateFAdd(x, shift), shift);
  if (intrinsic == Intrinsic::kFloor) {
    llvm::Value* above = builder_.CreateFCmpOGT(rounded, x);
    rounded = builder_.CreateSelect(
        above, builder_.CreateFSub(rounded, constant(1)), rounded);
  } else if (intrinsic == Intrinsic::kCeil) {
    llvm::Value* below = builder_.CreateFCmpOLT(rounded, x);
    rounded = builder_.CreateSelect(
        below, builder_.CreateFAdd(rounded, constant(1)), rounded);
  }
  llvm::Value* is_small =
      builder_.CreateFCmpOLT(magnitude, constant(whole_from));
  return builder_.CreateSelect(is_small, with_sign_of_x(rounded), x);
}

// Without an instruction, exactly for float32: the product is exact in float64.
// Its sum with c is rounded to odd (the last bit is set if the sum is inexact),
// which makes the second rounding, to float32, correct.
llvm::Value* FunctionEmitter::EmitFma(DType type, llvm::Value* a,
                                      llvm::Value* b, llvm::Value* c) {
  if (kernel_.target.fma()) {
    return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()},
                                    {a, b, c});
  }
  CHECK(type.Element() == DType::Float32()) << type;
  llvm::LLVMContext& context = kernel_.context();
  const int lanes = type.lanes();
  llvm::Type* wide = RegisterType(context, DType::Float64().WithLanes(lanes));
  llvm::Type* bits = RegisterType(context, DType::Int64().WithLanes(lanes));
  llvm::IRBuilder<>::FastMathFlagGuard exactly(builder_);
  builder_.clearFastMathFlags();
  llvm::Value* p = builder_.CreateFMul(builder_.CreateFPExt(a, wide),
                                       builder_.CreateFPExt(b, wide));
  llvm::Value* addend = builder_.CreateFPExt(c, wide);
  llvm::Value* sum = builder_.CreateFAdd(p, addend);
  // Rounding error of the sum (Knuth's TwoSum). NaN compares unequal to 0 as
  // well, but has no error.
  llvm::Value* part = builder_.CreateFSub(sum, p);
  llvm::Value* lost = builder_.CreateFAdd(
      builder_.CreateFSub(p, builder_.CreateFSub(sum, part)),
      builder_.CreateFSub(addend, part));
  llvm::Value* zero = llvm::Constant::getNullValue(wide);
  llvm::Value* one = llvm::ConstantInt::get(bits, 1);
  llvm::Value* sum_bits = builder_.CreateBitCast(sum, bits);
  llvm::Value* is_even = builder_.CreateICmpEQ(
      builder_.CreateAnd(sum_bits, one), llvm::Constant::getNullValue(bits));
  llvm::Value* inexact =
      builder_.CreateAnd(builder_.CreateFCmpONE(lost, zero), is_even);
  // Away from zero if the exact sum has a larger magnitude.
  llvm::Value* same_sign = builder_.CreateICmpEQ(
      builder_.CreateFCmpOGT(lost, zero), builder_.CreateFCmpOGT(sum, zero));
  llvm::Value* step = builder_.CreateSelect(
      same_sign, one, llvm::ConstantInt::getSigned(bits, -1));
  llvm::Value* odd = builder_.CreateSelect(
      inexact, builder_.CreateAdd(sum_bits, step), sum_bits);
  return builder_.CreateFPTrunc(builder_.CreateBitCast(odd, wide),
                                RegisterType(context, type));
}

}  // namespace assay::codegen
