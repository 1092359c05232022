// IndexInto: how kernels read computed indices.
#ifndef ASSAY_COMPILER_OPS_INDEXING_GATHER_H_
#define ASSAY_COMPILER_OPS_INDEXING_GATHER_H_

#include <cstdint>

#include "compiler/expr/expr.h"

namespace assay::ops {

// `given` as an index into an axis of `extent` elements. A negative index
// counts from the end; an index that is out of range reads the nearest element,
// and so no input value makes a kernel leave its buffers.
expr::Expr IndexInto(int64_t extent, const expr::Expr& given);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INDEXING_GATHER_H_
