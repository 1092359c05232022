// RoundToOdd: conversions to a narrower float type that keep enough information
// for a second rounding. A result that is not exact is rounded towards zero,
// and its last bit is set. Rounding such a result to a type with at least two
// bits fewer gives the same number as rounding the original value once, whereas
// two roundings to nearest can give another number.
//
//   FloatToHalf(RoundToOdd(x))             the float16 nearest to the double x
//   static_cast<float>(RoundToOdd(n))      the float32 nearest to the int64 n
//
// NaN stays NaN. A finite value never becomes infinite.
#ifndef ASSAY_RUNTIME_BASE_ROUND_TO_ODD_H_
#define ASSAY_RUNTIME_BASE_ROUND_TO_ODD_H_

#include <cstdint>

namespace assay {

float RoundToOdd(double value);
double RoundToOdd(uint64_t value);
double RoundToOdd(int64_t value);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_ROUND_TO_ODD_H_
