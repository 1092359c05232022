// IndexInto: normalizes an index that a kernel reads from a tensor.
#ifndef ASSAY_COMPILER_OPS_INDEXING_GATHER_H_
#define ASSAY_COMPILER_OPS_INDEXING_GATHER_H_

#include <cstdint>

#include "compiler/expr/expr.h"

namespace assay::ops {

// Returns `given` as an index in [0, extent) of an axis with `extent` elements.
// A negative index counts from the end of the axis. An out-of-range index is
// clamped, so that a kernel never accesses memory outside its buffers.
expr::Expr IndexInto(int64_t extent, const expr::Expr& given);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INDEXING_GATHER_H_
