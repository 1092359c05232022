#include "runtime/base/half.h"

#include <cstring>

#include "runtime/base/round_to_odd.h"

namespace assay {
namespace {

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float FloatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// bits >> shift, rounded to nearest even; 1 <= shift <= 31.
uint32_t ShiftRounded(uint32_t bits, int shift) {
  const uint32_t half = uint32_t{1} << (shift - 1);
  const uint32_t odd = (bits >> shift) & 1;
  return (bits + half - 1 + odd) >> shift;
}

}  // namespace

// float32 has 8 exponent bits (bias 127) and 23 fraction bits; float16 has 5
// exponent bits (bias 15) and 10 fraction bits. A carry from rounding into the
// exponent is correct: the result is the next power of two, or infinity.
uint16_t FloatToHalf(float value) {
  const uint32_t bits = BitsOf(value);
  const uint32_t sign = (bits >> 16) & 0x8000;
  const uint32_t magnitude = bits & 0x7fffffff;
  uint32_t half;
  if (magnitude > 0x7f800000) {
    half = 0x7e00;  // NaN
  } else if (magnitude >= 0x47800000) {
    half = 0x7c00;  // |value| >= 2^16 overflows to infinity
  } else if (magnitude >= 0x38800000) {
    // |value| >= 2^-14 is normal; the biases differ by 127 - 15 = 112.
    half = ShiftRounded(magnitude - (uint32_t{112} << 23), 13);
  } else if (magnitude >= 0x33000000) {
    // |value| >= 2^-25 is subnormal, in units of 2^-24.
    const int exponent = static_cast<int>(magnitude >> 23);
    const uint32_t fraction = (magnitude & 0x7fffff) | 0x800000;
    half = ShiftRounded(fraction, 126 - exponent);
  } else {
    half = 0;
  }
  return static_cast<uint16_t>(sign | half);
}

uint16_t DoubleToHalf(double value) { return FloatToHalf(RoundToOdd(value)); }

float HalfToFloat(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1f;
  const uint32_t fraction = bits & 0x3ff;
  if (exponent == 0x1f) return FloatOf(sign | 0x7f800000 | fraction << 13);
  if (exponent != 0) {
    return FloatOf(sign | (exponent + 112) << 23 | fraction << 13);
  }
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return FloatOf(sign | BitsOf(magnitude));
}

uint16_t FloatToBFloat16(float value) {
  const uint32_t bits = BitsOf(value);
  if ((bits & 0x7fffffff) > 0x7f800000) {
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  }
  // Rounding the magnitude cannot carry into the sign bit, because infinity is
  // the largest magnitude here.
  return static_cast<uint16_t>(ShiftRounded(bits & 0x7fffffff, 16) |
                               (bits >> 16 & 0x8000));
}

uint16_t DoubleToBFloat16(double value) {
  return FloatToBFloat16(RoundToOdd(value));
}

float BFloat16ToFloat(uint16_t bits) {
  return FloatOf(static_cast<uint32_t>(bits) << 16);
}

}  // namespace assay
