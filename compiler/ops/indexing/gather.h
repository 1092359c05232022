// IndexInto: normalizes an index that is read from a tensor.
#ifndef ASSAY_COMPILER_OPS_INDEXING_GATHER_H_
#define ASSAY_COMPILER_OPS_INDEXING_GATHER_H_

#include <cstdint>

#include "compiler/expr/expr.h"

namespace assay::ops {

// Converts `given` to an index into an axis of `extent` elements. A negative
// index counts from the end. An out-of-range index is clamped, so that no input
// value makes a kernel access memory outside its buffers.
expr::Expr IndexInto(int64_t extent, const expr::Expr& given);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INDEXING_GATHER_H_
