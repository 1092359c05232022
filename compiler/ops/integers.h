// Integer arithmetic on extents of axes.
#ifndef ASSAY_COMPILER_OPS_INTEGERS_H_
#define ASSAY_COMPILER_OPS_INTEGERS_H_

#include <cstdint>
#include <vector>

namespace assay::ops {

// Converts an extent to int, the type of constants in index arithmetic. Indices
// in kernels have 32 bits, so `v` must fit in 32 bits.
inline int AsInt(int64_t v) { return static_cast<int>(v); }

// Returns a / b, rounded up. Requires a >= 0 and b > 0.
inline int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Returns the divisors of `n` in ascending order. Requires n > 0.
inline std::vector<int64_t> Divisors(int64_t n) {
  std::vector<int64_t> result;
  for (int64_t d = 1; d <= n; ++d) {
    if (n % d == 0) result.push_back(d);
  }
  return result;
}

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INTEGERS_H_
