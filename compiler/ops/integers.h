// Integer arithmetic of extents.
#ifndef ASSAY_COMPILER_OPS_INTEGERS_H_
#define ASSAY_COMPILER_OPS_INTEGERS_H_

#include <cstdint>
#include <vector>

namespace assay::ops {

// An extent as a constant of index arithmetic, which has 32 bits: no axis of a
// kernel's tensor is longer.
inline int AsInt(int64_t v) { return static_cast<int>(v); }

// a / b rounded up, for a >= 0 and b > 0.
inline int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// The divisors of n > 0 in ascending order.
inline std::vector<int64_t> Divisors(int64_t n) {
  std::vector<int64_t> result;
  for (int64_t d = 1; d <= n; ++d) {
    if (n % d == 0) result.push_back(d);
  }
  return result;
}

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INTEGERS_H_
