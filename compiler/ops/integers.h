// Integer arithmetic of extents.
#ifndef ASSAY_COMPILER_OPS_INTEGERS_H_
#define ASSAY_COMPILER_OPS_INTEGERS_H_

#include <cstdint>

namespace assay::ops {

// An extent as a constant of index arithmetic, which is 32 bits wide: no tensor
// of a kernel has more elements along an axis.
inline int AsInt(int64_t v) { return static_cast<int>(v); }

// a / b rounded up, of a >= 0 and b > 0.
inline int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INTEGERS_H_
