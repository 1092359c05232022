#include "compiler/tir/interpreter_math.h"

#include <cmath>

#include "runtime/base/check.h"
#include "runtime/base/half.h"

namespace assay::tir {
namespace {

using expr::Intrinsic;

int64_t PowerOfInts(DType type, int64_t x, int64_t y) {
  if (type.is_int() && y < 0) {
    if (x == -1) return y % 2 == 0 ? 1 : -1;
    return x == 1 ? 1 : 0;
  }
  uint64_t exponent = static_cast<uint64_t>(y);
  if (exponent > 63) exponent = 62 + exponent % 2;
  uint64_t power = 1;
  for (; exponent > 0; --exponent) power *= static_cast<uint64_t>(x);
  return static_cast<int64_t>(power);
}

}  // namespace

double ApplyFloat(Intrinsic intrinsic, double x, double y) {
  switch (intrinsic) {
#define ASSAY_LIBRARY(Name, name) \
  case Intrinsic::k##Name:        \
    return std::name(x);
    ASSAY_LIBRARY(Exp, exp)
    ASSAY_LIBRARY(Log, log)
    ASSAY_LIBRARY(Tanh, tanh)
    ASSAY_LIBRARY(Erf, erf)
    ASSAY_LIBRARY(Sin, sin)
    ASSAY_LIBRARY(Cos, cos)
    ASSAY_LIBRARY(Tan, tan)
    ASSAY_LIBRARY(Asin, asin)
    ASSAY_LIBRARY(Acos, acos)
    ASSAY_LIBRARY(Atan, atan)
    ASSAY_LIBRARY(Sinh, sinh)
    ASSAY_LIBRARY(Cosh, cosh)
    ASSAY_LIBRARY(Asinh, asinh)
    ASSAY_LIBRARY(Acosh, acosh)
    ASSAY_LIBRARY(Atanh, atanh)
    ASSAY_LIBRARY(Sqrt, sqrt)
    ASSAY_LIBRARY(Floor, floor)
    ASSAY_LIBRARY(Ceil, ceil)
#undef ASSAY_LIBRARY
    case Intrinsic::kPow:
      return std::pow(x, y);
    case Intrinsic::kFmod:
      return std::fmod(x, y);
    case Intrinsic::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Intrinsic::kRound:
      return std::nearbyint(x);
    case Intrinsic::kAbs:
      return std::fabs(x);
    case Intrinsic::kRoundBFloat16: {
      const auto value = static_cast<float>(x);
      return std::fpclassify(value) == FP_SUBNORMAL
                 ? std::copysign(0.0, x)
                 : BFloat16ToFloat(FloatToBFloat16(value));
    }
    default:
      CHECK(false) << expr::IntrinsicName(intrinsic) << " of floats";
      return 0;
  }
}

int64_t ApplyInt(Intrinsic intrinsic, DType type, int64_t x, int64_t y) {
  switch (intrinsic) {
    case Intrinsic::kPow:
      return PowerOfInts(type, x, y);
    case Intrinsic::kAbs:
      return type.is_uint() || x >= 0 ? x : 0 - static_cast<uint64_t>(x);
    case Intrinsic::kShiftLeft:
      return static_cast<uint64_t>(x) << (y & 63);
    case Intrinsic::kShiftRight:
      return type.is_uint()
                 ? static_cast<int64_t>(static_cast<uint64_t>(x) >> (y & 63))
                 : x >> (y & 63);
    case Intrinsic::kBitwiseAnd:
      return x & y;
    case Intrinsic::kBitwiseOr:
      return x | y;
    case Intrinsic::kBitwiseXor:
      return x ^ y;
    default:
      CHECK(false) << expr::IntrinsicName(intrinsic) << " of " << type;
      return 0;
  }
}

}  // namespace assay::tir
