#include "compiler/expr/numeric.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/base/check.h"
#include "runtime/base/half.h"

namespace assay::expr {
namespace {

template <typename To, typename From>
To BitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

// Rounds to a format with `mantissa` explicit bits, smallest normal exponent
// `min_exponent` and largest finite value `max`.
double RoundTo(double value, int mantissa, int min_exponent, double max) {
  if (value == 0 || std::isnan(value) || std::isinf(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  if (exponent - 1 < min_exponent) exponent = min_exponent + 1;
  const double ulp = std::ldexp(1.0, exponent - 1 - mantissa);
  const double rounded = std::nearbyint(value / ulp) * ulp;
  if (std::fabs(rounded) > max) {
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  }
  return rounded;
}

}  // namespace

int64_t WrapInt(DType type, int64_t value) {
  if (type.is_bool()) return value != 0;
  if (type.bits() == 64) return value;
  const int shift = 64 - type.bits();
  const uint64_t high = static_cast<uint64_t>(value) << shift;
  return type.is_uint() ? static_cast<int64_t>(high >> shift)
                        : static_cast<int64_t>(high) >> shift;
}

double RoundFloat(DType type, double value) {
  if (type.bits() == 64) return value;
  if (type.bits() == 32) return static_cast<float>(value);
  if (type.code() == DType::Code::kBFloat) {
    return RoundTo(value, 7, -126, 0x1.fep127);
  }
  return RoundTo(value, 10, -14, 65504.0);
}

int64_t FloorDiv(int64_t a, int64_t b) {
  if (b == -1) return static_cast<int64_t>(0 - static_cast<uint64_t>(a));
  const int64_t q = a / b;
  return a % b != 0 && ((a < 0) != (b < 0)) ? q - 1 : q;
}

int64_t FloorMod(int64_t a, int64_t b) {
  if (b == -1) return 0;  // INT64_MIN % -1 would trap
  const int64_t r = a % b;
  return r != 0 && ((r < 0) != (b < 0)) ? r + b : r;
}

uint64_t FloatToBits(DType type, double value) {
  CHECK(type.is_float()) << type;
  if (type.bits() == 64) return BitCast<uint64_t>(value);
  if (type.bits() == 32) {
    return BitCast<uint32_t>(static_cast<float>(value));
  }
  if (type.code() == DType::Code::kBFloat) {
    return BitCast<uint32_t>(static_cast<float>(value)) >> 16;
  }
  return FloatToHalf(static_cast<float>(value));
}

double BitsToFloat(DType type, uint64_t bits) {
  CHECK(type.is_float()) << type;
  if (type.bits() == 64) return BitCast<double>(bits);
  if (type.bits() == 32) return BitCast<float>(static_cast<uint32_t>(bits));
  if (type.code() == DType::Code::kBFloat) {
    return BitCast<float>(static_cast<uint32_t>(bits << 16));
  }
  return HalfToFloat(static_cast<uint16_t>(bits));
}

}  // namespace assay::expr
