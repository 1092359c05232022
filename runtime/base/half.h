// This header declares conversions, in software, between float32 or float64 and
// two 16-bit float formats: IEEE binary16 (`float16`) and bfloat16. A 16-bit
// value is stored as its bit pattern in a uint16_t.
//
// Narrowing rounds to nearest, ties to even. A double is converted to float32
// with RoundToOdd() first (round_to_odd.h); therefore the result is the same as
// that of a single rounding. Narrowing overflows to infinity and underflows
// gradually to subnormals and zero; a NaN stays a NaN of the same sign.
// Widening is exact.
#ifndef ASSAY_RUNTIME_BASE_HALF_H_
#define ASSAY_RUNTIME_BASE_HALF_H_

#include <cstdint>

namespace assay {

uint16_t FloatToHalf(float value);
uint16_t DoubleToHalf(double value);
float HalfToFloat(uint16_t bits);

uint16_t FloatToBFloat16(float value);
uint16_t DoubleToBFloat16(double value);
float BFloat16ToFloat(uint16_t bits);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_HALF_H_
