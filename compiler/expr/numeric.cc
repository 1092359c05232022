#include "compiler/expr/numeric.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/base/check.h"

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

constexpr int kHalfMantissa = 10;
constexpr int kHalfMinExponent = -14;

uint64_t HalfBits(double value) {
  const uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return sign | 0x7e00;
  if (std::isinf(value)) return sign | 0x7c00;
  const double magnitude = std::fabs(value);
  if (magnitude < std::ldexp(1.0, kHalfMinExponent)) {
    return sign | static_cast<uint64_t>(
                      std::ldexp(magnitude, kHalfMantissa - kHalfMinExponent));
  }
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);  // in [0.5, 1)
  const auto mantissa =
      static_cast<uint64_t>(std::ldexp(2 * fraction - 1, kHalfMantissa));
  return sign | static_cast<uint64_t>(exponent - 1 + 15) << 10 | mantissa;
}

double HalfValue(uint64_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double mantissa = static_cast<double>(bits & 1023);
  if (exponent == 31) {
    return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024, exponent - 25);
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
  return RoundTo(value, kHalfMantissa, kHalfMinExponent, 65504.0);
}

int64_t FloorDiv(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return a % b != 0 && ((a < 0) != (b < 0)) ? q - 1 : q;
}

int64_t FloorMod(int64_t a, int64_t b) {
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
  return HalfBits(value);
}

double BitsToFloat(DType type, uint64_t bits) {
  CHECK(type.is_float()) << type;
  if (type.bits() == 64) return BitCast<double>(bits);
  if (type.bits() == 32) return BitCast<float>(static_cast<uint32_t>(bits));
  if (type.code() == DType::Code::kBFloat) {
    return BitCast<float>(static_cast<uint32_t>(bits << 16));
  }
  return HalfValue(bits);
}

}  // namespace assay::expr
