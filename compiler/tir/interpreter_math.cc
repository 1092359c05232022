#include "compiler/tir/interpreter_math.h"

#include <cmath>

#include "runtime/base/check.h"

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
#define ASSAY_LIBRARY(name) \
  case Intrinsic::k_##name: \
    return std::name(x);
    ASSAY_LIBRARY(exp)
    ASSAY_LIBRARY(log)
    ASSAY_LIBRARY(tanh)
    ASSAY_LIBRARY(erf)
    ASSAY_LIBRARY(sin)
    ASSAY_LIBRARY(cos)
    ASSAY_LIBRARY(tan)
    ASSAY_LIBRARY(asin)
    ASSAY_LIBRARY(acos)
    ASSAY_LIBRARY(atan)
    ASSAY_LIBRARY(sinh)
    ASSAY_LIBRARY(cosh)
    ASSAY_LIBRARY(asinh)
    ASSAY_LIBRARY(acosh)
    ASSAY_LIBRARY(atanh)
    ASSAY_LIBRARY(sqrt)
    ASSAY_LIBRARY(floor)
    ASSAY_LIBRARY(ceil)
#undef ASSAY_LIBRARY
    case Intrinsic::k_pow:
      return std::pow(x, y);
    case Intrinsic::k_sigmoid:
      return 1 / (1 + std::exp(-x));
    case Intrinsic::k_round:
      return std::nearbyint(x);
    case Intrinsic::k_abs:
      return std::fabs(x);
    default:
      CHECK(false) << expr::IntrinsicName(intrinsic) << " of floats";
      return 0;
  }
}

int64_t ApplyInt(Intrinsic intrinsic, DType type, int64_t x, int64_t y) {
  switch (intrinsic) {
    case Intrinsic::k_pow:
      return PowerOfInts(type, x, y);
    case Intrinsic::k_abs:
      return type.is_uint() || x >= 0 ? x : 0 - static_cast<uint64_t>(x);
    case Intrinsic::k_shift_left:
      return static_cast<uint64_t>(x) << (y & 63);
    case Intrinsic::k_shift_right:
      return type.is_uint()
                 ? static_cast<int64_t>(static_cast<uint64_t>(x) >> (y & 63))
                 : x >> (y & 63);
    case Intrinsic::k_bitwise_and:
      return x & y;
    case Intrinsic::k_bitwise_or:
      return x | y;
    case Intrinsic::k_bitwise_xor:
      return x ^ y;
    default:
      CHECK(false) << expr::IntrinsicName(intrinsic) << " of " << type;
      return 0;
  }
}

}  // namespace assay::tir
