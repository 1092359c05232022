// Loops over the indices of an array, for operators that are written as loops
// (te::Extern).
#ifndef ASSAY_COMPILER_OPS_INDEX_LOOPS_H_
#define ASSAY_COMPILER_OPS_INDEX_LOOPS_H_

#include <functional>
#include <vector>

#include "compiler/te/extern.h"

namespace assay::ops {

// Emits loops that run `body` for every index of an array of shape `shape`, in
// row-major order.
void ForEachIndex(
    te::Extern& e, const Shape& shape,
    const std::function<void(const std::vector<expr::Expr>&)>& body);

// Like ForEachIndex, but the loop over the first axis is parallel.
void ForEachIndexInParallel(
    te::Extern& e, const Shape& shape,
    const std::function<void(const std::vector<expr::Expr>&)>& body);

// Returns the indices of an element of an array of shape `shape`. The index
// along `axis` is `k`. The indices along all other axes are given by `row`,
// their combined row-major index.
std::vector<expr::Expr> IndicesInRow(const Shape& shape, int axis,
                                     const expr::Expr& row,
                                     const expr::Expr& k);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INDEX_LOOPS_H_
