// Sorting along an axis: ArgSort, Sort and TopK.
//
// All sorts are stable: in both orders, of two equal elements the one with the
// smaller index comes first. NaN is greater than every number, so NaNs come
// last in ascending and first in descending order. All NaNs are equal, and 0
// and -0 are equal. Elements may be floats or integers. `axis` must not be
// negative.
//
// A row consists of the elements along `axis` for fixed indices of all other
// axes. One thread sorts the n indices of a row by merge sort, in n * log2(n)
// steps. If only the first k of many are needed, it compares each element with
// the k-th of those before it, and sorts only the ones that precede it. That
// takes about n + k * log(n / k) * log2(k) steps if the elements are in random
// order, and at worst 2 * n * log2(k). Rows are distributed over the threads.
#ifndef ASSAY_COMPILER_OPS_SORTING_SORT_H_
#define ASSAY_COMPILER_OPS_SORTING_SORT_H_

#include <cstdint>
#include <functional>
#include <string>

#include "compiler/te/extern.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

enum class SortOrder : uint8_t { kAscending, kDescending };

// Returns the indices of the first `k` elements in the sorted order. `k` must
// be in [1, extent of the axis] and is the extent of that axis in the result.
te::Tensor ArgSort(const te::Tensor& x, int axis, int64_t k, SortOrder order,
                   DType index_type = DType::Int32(),
                   const std::string& name = "argsort");

struct SortedElements {
  te::Tensor values, indices;  // indices are int32
};

// Returns all elements in sorted order.
SortedElements Sort(const te::Tensor& x, int axis, SortOrder order,
                    const std::string& name = "sort");

// Returns the first `k` elements in the sorted order: the largest elements if
// the order is descending. `k` must be in [1, extent of the axis] and is the
// extent of that axis in the results.
SortedElements TopK(const te::Tensor& x, int axis, int64_t k, SortOrder order,
                    const std::string& name = "top_k");

// Emits statements that fill `order`, an array int32[n], with the indices 0 to
// n - 1 in stably sorted order. `before(a, b)` must return an expression that
// is true if the element at index `a` must precede the element at index `b`.
// Both arguments are always in [0, n).
void SortIndices(te::Extern& e, const te::Array& order, int64_t n,
                 const std::function<expr::Expr(const expr::Expr& a,
                                                const expr::Expr& b)>& before);

// Returns an expression that is true if `a` strictly precedes `b` in `order`.
expr::Expr ComesBefore(const expr::Expr& a, const expr::Expr& b,
                       SortOrder order);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_SORTING_SORT_H_
