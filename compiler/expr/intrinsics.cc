#include "compiler/expr/intrinsics.h"

#include "compiler/expr/numeric.h"
#include "runtime/base/dtype.h"

namespace assay::expr {

absl::string_view IntrinsicName(Intrinsic intrinsic) {
  static constexpr const char* kNames[] = {
#define ASSAY_NAME(Name, name, arity) #name,
      ASSAY_INTRINSICS(ASSAY_NAME)
#undef ASSAY_NAME
  };
  return kNames[static_cast<int>(intrinsic)];
}

size_t IntrinsicArity(Intrinsic intrinsic) {
  static constexpr size_t kArity[] = {
#define ASSAY_ARITY(Name, name, arity) arity,
      ASSAY_INTRINSICS(ASSAY_ARITY)
#undef ASSAY_ARITY
  };
  return kArity[static_cast<int>(intrinsic)];
}

bool IsElementary(Intrinsic intrinsic) {
  switch (intrinsic) {
#define ASSAY_CASE(Name, name, arity) case Intrinsic::k##Name:
    ASSAY_ELEMENTARY_INTRINSICS(ASSAY_CASE)
#undef ASSAY_CASE
    return true;
    default:
      return false;
  }
}

const DotFactors* FindDotFactors(Intrinsic intrinsic) {
  static constexpr DotFactors kU8S8 = {8, false, true};
  static constexpr DotFactors kS8S8 = {8, true, true};
  static constexpr DotFactors kU8U8 = {8, false, false};
  static constexpr DotFactors kS16 = {16, true, true};
  switch (intrinsic) {
    case Intrinsic::kDot4U8S8:
      return &kU8S8;
    case Intrinsic::kDot4S8S8:
      return &kS8S8;
    case Intrinsic::kDot4U8U8:
      return &kU8U8;
    case Intrinsic::kDot2S16:
      return &kS16;
    default:
      return nullptr;
  }
}

const TileFactors* FindTileFactors(Intrinsic intrinsic) {
  static constexpr DType kS8 = DType::Int(8), kU8 = DType::UInt(8);
  static constexpr DType kInt32 = DType::Int32();
  static constexpr TileFactors kU8S8 = {kU8, kS8, kInt32};
  static constexpr TileFactors kS8S8 = {kS8, kS8, kInt32};
  static constexpr TileFactors kS8U8 = {kS8, kU8, kInt32};
  static constexpr TileFactors kU8U8 = {kU8, kU8, kInt32};
  static constexpr TileFactors kBF16 = {DType::BFloat16(), DType::BFloat16(),
                                        DType::Float32()};
  switch (intrinsic) {
    case Intrinsic::kTileDot4U8S8:
      return &kU8S8;
    case Intrinsic::kTileDot4S8S8:
      return &kS8S8;
    case Intrinsic::kTileDot4S8U8:
      return &kS8U8;
    case Intrinsic::kTileDot4U8U8:
      return &kU8U8;
    case Intrinsic::kTileDot2BF16:
      return &kBF16;
    default:
      return nullptr;
  }
}

int64_t EvaluateDot(const DotFactors& factors, int64_t c, int64_t a,
                    int64_t b) {
  const auto factor = [&](int64_t x, int first_bit, bool is_signed) {
    const DType type =
        is_signed ? DType::Int(factors.width) : DType::UInt(factors.width);
    return WrapInt(type, x >> first_bit);
  };
  int64_t sum = c;
  for (int bit = 0; bit < 32; bit += factors.width) {
    sum += factor(a, bit, factors.a_signed) * factor(b, bit, factors.b_signed);
  }
  return WrapInt(DType::Int32(), sum);
}

}  // namespace assay::expr
