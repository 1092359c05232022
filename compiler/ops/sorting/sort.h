// Sorting along an axis: ArgSort, Sort and TopK.
//
// All sorts are stable: among equal elements the one with the smaller index
// comes first in either order. NaN compares greater than every number, so it
// comes last in ascending and first in descending order; all NaNs are equal,
// and so are 0 and -0. `axis` is not negative; indices are int32 by default.
// The indices of each row (one combination of the other axes) are merge-sorted
// on one thread in n log2(n) steps; rows are distributed over the threads.
//
// Element types: floats and integers.
#ifndef ASSAY_COMPILER_OPS_SORTING_SORT_H_
#define ASSAY_COMPILER_OPS_SORTING_SORT_H_

#include <cstdint>
#include <functional>
#include <string>

#include "compiler/te/extern.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

enum class SortOrder : uint8_t { kAscending, kDescending };

// Returns the indices of the first `k` sorted elements along the axis.
te::Tensor ArgSort(const te::Tensor& x, int axis, int64_t k, SortOrder order,
                   DType index_type = DType::Int32(),
                   const std::string& name = "argsort");

struct SortedElements {
  te::Tensor values, indices;
};

SortedElements Sort(const te::Tensor& x, int axis, SortOrder order,
                    const std::string& name = "sort");

// Returns the first `k` sorted elements: the largest ones if the order is
// descending. `k` is in [1, extent of the axis] and replaces that extent in the
// shapes of the results.
SortedElements TopK(const te::Tensor& x, int axis, int64_t k, SortOrder order,
                    const std::string& name = "top_k");

// Emits statements that fill `order`, int32[n], with the stably sorted indices
// 0 to n - 1, for other operators that sort. `before(a, b)` is true if the
// element at index `a` must precede the one at index `b`; both arguments are
// always in [0, n).
void SortIndices(te::Extern& e, const te::Array& order, int64_t n,
                 const std::function<expr::Expr(const expr::Expr& a,
                                                const expr::Expr& b)>& before);

// Returns an expression that is true if `a` strictly precedes `b` in `order`.
expr::Expr ComesBefore(const expr::Expr& a, const expr::Expr& b,
                       SortOrder order);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_SORTING_SORT_H_
