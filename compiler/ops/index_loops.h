// Loops over the indices of an array, for operators written as loops.
#ifndef ASSAY_COMPILER_OPS_INDEX_LOOPS_H_
#define ASSAY_COMPILER_OPS_INDEX_LOOPS_H_

#include <functional>
#include <vector>

#include "compiler/te/extern.h"

namespace assay::ops {

// `body` for every index of an array of that shape, in row-major order.
void ForEachIndex(
    te::Extern& e, const Shape& shape,
    const std::function<void(const std::vector<expr::Expr>&)>& body);

// The same with the first axis shared out over the threads.
void ForEachIndexInParallel(
    te::Extern& e, const Shape& shape,
    const std::function<void(const std::vector<expr::Expr>&)>& body);

// The indices of the element at `k` along `axis` of row number `row`, where the
// rows are the combinations of the other axes.
std::vector<expr::Expr> IndicesInRow(const Shape& shape, int axis,
                                     const expr::Expr& row,
                                     const expr::Expr& k);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INDEX_LOOPS_H_
