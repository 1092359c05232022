#include "compiler/codegen/llvm/float16.h"

#include <numeric>
#include <vector>

#include "compiler/codegen/llvm/types.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace assay::codegen {
namespace {

using llvm::Value;

// float32 has 8 exponent bits (bias 127) and 23 mantissa bits; float16 has 5
// (bias 15) and 10.
constexpr int kDroppedBits = 23 - 10;
constexpr uint32_t kRebias = (127 - 15) << 23;
constexpr uint32_t kSign = 0x80000000, kInfinity = 0x7f800000;
constexpr uint32_t kSmallestNormal = 0x00800000;
constexpr uint32_t kHalfInfinity = 0x7c00, kHalfNan = 0x7e00;
// The smallest normal float16 and the smallest power of two that overflows
// float16, as float32 bits.
constexpr uint32_t kHalfNormal = (127 - 14) << 23;
constexpr uint32_t kBeyondHalf = (127 + 16) << 23;

// Numbers that AVX-512 BF16 converts to bfloat16 at once.
constexpr int kConvertedAtOnce = 16;

bool HasHalfConversions(const target::Target& target) {
  switch (target.arch()) {
    case target::Arch::kX86_64:
      return target.HasFeature("f16c");
    case target::Arch::kAArch64:
      return true;
    case target::Arch::kArm:
      return target.HasFeature("vfp4");
    case target::Arch::kNone:
      break;
  }
  return false;
}

class Converter {
 public:
  Converter(llvm::IRBuilder<>& builder, int lanes)
      : b_(builder), lanes_(lanes) {}

  llvm::Type* Type(DType scalar) {
    return RegisterType(b_.getContext(), scalar.WithLanes(lanes_));
  }
  llvm::Type* half() {
    llvm::Type* scalar = b_.getHalfTy();
    return lanes_ == 1 ? scalar : llvm::FixedVectorType::get(scalar, lanes_);
  }

  Value* FromBFloat(Value* bits) {
    return AsFloat(b_.CreateShl(Widen(bits), 16));
  }

  Value* ToBFloat(Value* x) {
    Value* bits = AsInt(x);
    Value* high = b_.CreateLShr(bits, 16);
    // Sets the quiet bit of a NaN: the remaining mantissa bits may be zero.
    return Narrow(b_.CreateSelect(b_.CreateFCmpUNO(x, x),
                                  b_.CreateOr(high, C(0x40)),
                                  RoundedShift(bits, 16)));
  }

  // Zeros of the same sign in place of subnormal numbers.
  Value* Flush(Value* x) {
    Value* magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    Value* is_normal =
        b_.CreateNot(b_.CreateFCmpOLT(magnitude, AsFloat(C(kSmallestNormal))));
    return AsFloat(
        b_.CreateSelect(is_normal, AsInt(x), b_.CreateAnd(AsInt(x), C(kSign))));
  }

  Value* FromHalf(Value* bits) {
    Value* wide = Widen(bits);
    Value* sign = b_.CreateShl(b_.CreateAnd(wide, C(0x8000)), 16);
    Value* magnitude = b_.CreateAnd(wide, C(0x7fff));
    Value* shifted = b_.CreateShl(magnitude, kDroppedBits);
    Value* normal = b_.CreateAdd(shifted, C(kRebias));
    Value* special = b_.CreateAdd(normal, C(kRebias));
    // Interpret the bits as the mantissa of a normal number and subtract its
    // implicit one.
    Value* subnormal =
        AsInt(b_.CreateFSub(AsFloat(b_.CreateAdd(shifted, C(kHalfNormal))),
                            AsFloat(C(kHalfNormal))));
    Value* result = b_.CreateSelect(
        b_.CreateICmpULT(magnitude, C(0x400)), subnormal,
        b_.CreateSelect(b_.CreateICmpUGE(magnitude, C(kHalfInfinity)), special,
                        normal));
    return AsFloat(b_.CreateOr(result, sign));
  }

  Value* ToHalf(Value* x) {
    Value* bits = AsInt(x);
    Value* sign = b_.CreateLShr(b_.CreateAnd(bits, C(kSign)), 16);
    Value* magnitude = b_.CreateAnd(bits, C(~kSign));
    Value* normal =
        RoundedShift(b_.CreateSub(magnitude, C(kRebias)), kDroppedBits);
    // The last mantissa bit of 0.5 has the value of the smallest float16, so
    // adding 0.5 rounds correctly.
    Value* subnormal =
        b_.CreateSub(AsInt(b_.CreateFAdd(
                         AsFloat(magnitude),
                         llvm::ConstantFP::get(Type(DType::Float32()), 0.5))),
                     C(126 << 23));
    Value* special = b_.CreateSelect(b_.CreateICmpUGT(magnitude, C(kInfinity)),
                                     C(kHalfNan), C(kHalfInfinity));
    Value* result = b_.CreateSelect(
        b_.CreateICmpULT(magnitude, C(kHalfNormal)), subnormal,
        b_.CreateSelect(b_.CreateICmpUGE(magnitude, C(kBeyondHalf)), special,
                        normal));
    return Narrow(b_.CreateOr(result, sign));
  }

  // Rounds float64 to float32 so that a second rounding gives the correct
  // result: towards zero, with the last bit set if the result is inexact (round
  // to odd).
  Value* RoundToOdd(Value* x) {
    Value* near = b_.CreateFPTrunc(x, Type(DType::Float32()));
    Value* back = b_.CreateFPExt(near, Type(DType::Float64()));
    const auto magnitude = [&](Value* v) {
      return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v);
    };
    const auto as_int = [&](Value* condition) {
      return b_.CreateZExt(condition, Type(DType::Int32()));
    };
    Value* away = b_.CreateFCmpOGT(magnitude(back), magnitude(x));
    Value* inexact = b_.CreateFCmpONE(back, x);
    return AsFloat(
        b_.CreateOr(b_.CreateSub(AsInt(near), as_int(away)), as_int(inexact)));
  }

 private:
  Value* C(uint32_t value) {
    return llvm::ConstantInt::get(Type(DType::Int32()), value);
  }
  Value* AsFloat(Value* bits) {
    return b_.CreateBitCast(bits, Type(DType::Float32()));
  }
  Value* AsInt(Value* x) { return b_.CreateBitCast(x, Type(DType::Int32())); }
  Value* Widen(Value* bits) {
    return b_.CreateZExt(bits, Type(DType::Int32()));
  }
  Value* Narrow(Value* bits) {
    return b_.CreateTrunc(bits, Type(DType::Int(16)));
  }
  // bits / 2^count, rounded to nearest even.
  Value* RoundedShift(Value* bits, int count) {
    Value* odd = b_.CreateAnd(b_.CreateLShr(bits, count), C(1));
    Value* below_half = C((1u << (count - 1)) - 1);
    return b_.CreateLShr(b_.CreateAdd(bits, b_.CreateAdd(odd, below_half)),
                         count);
  }

  llvm::IRBuilder<>& b_;
  const int lanes_;
};

// The conversion of 16 numbers with AVX-512 BF16, as i16.
Value* ConvertSixteen(llvm::IRBuilder<>& builder, Value* x) {
  return builder.CreateBitCast(
      builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512bf16_cvtneps2bf16_512,
                              {}, {x}),
      llvm::FixedVectorType::get(builder.getInt16Ty(), kConvertedAtOnce));
}

}  // namespace

Value* EmitFromFloat16(llvm::IRBuilder<>& builder, const target::Target& target,
                       DType from, Value* bits) {
  Converter convert(builder, from.lanes());
  if (from.code() == DType::Code::kBFloat) return convert.FromBFloat(bits);
  if (!HasHalfConversions(target)) return convert.FromHalf(bits);
  if (from.lanes() == 1) {
    // Not a value of type half: LLVM would move comparisons and minima before
    // its conversion, and call `fminf` for a scalar one.
    return builder.CreateIntrinsic(llvm::Intrinsic::convert_from_fp16,
                                   {builder.getFloatTy()}, {bits});
  }
  return builder.CreateFPExt(builder.CreateBitCast(bits, convert.half()),
                             convert.Type(DType::Float32()));
}

Value* EmitToFloat16(llvm::IRBuilder<>& builder, const target::Target& target,
                     DType to, Value* x) {
  Converter convert(builder, to.lanes());
  if (x->getType() == convert.Type(DType::Float64())) x = convert.RoundToOdd(x);
  if (to.code() == DType::Code::kBFloat) return convert.ToBFloat(x);
  if (!HasHalfConversions(target)) return convert.ToHalf(x);
  if (to.lanes() == 1) {
    return builder.CreateIntrinsic(llvm::Intrinsic::convert_to_fp16,
                                   {builder.getFloatTy()}, {x});
  }
  return builder.CreateBitCast(builder.CreateFPTrunc(x, convert.half()),
                               convert.Type(DType::Int(16)));
}

Value* EmitRoundBFloat16(llvm::IRBuilder<>& builder,
                         const target::Target& target, Value* x) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  const int lanes =
      vector == nullptr ? 1 : static_cast<int>(vector->getNumElements());
  Converter convert(builder, lanes);
  if (!target.HasFeature("avx512bf16") || lanes % kConvertedAtOnce != 0) {
    return convert.FromBFloat(convert.ToBFloat(convert.Flush(x)));
  }
  std::vector<int> all(lanes);
  std::iota(all.begin(), all.end(), 0);
  Value* result = nullptr;
  for (int first = 0; first < lanes; first += kConvertedAtOnce) {
    Value* part = ConvertSixteen(
        builder, builder.CreateShuffleVector(
                     x, llvm::ArrayRef(all).slice(first, kConvertedAtOnce)));
    result = result == nullptr
                 ? part
                 : builder.CreateShuffleVector(
                       result, part,
                       llvm::ArrayRef(all).slice(0, first + kConvertedAtOnce));
  }
  return convert.FromBFloat(result);
}

}  // namespace assay::codegen
