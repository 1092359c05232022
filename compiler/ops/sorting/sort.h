// Sorting along an axis: the order, the sorted elements, the first few of them.
//
// All are stable: of equal elements the one with the smaller index comes first,
// ascending or descending. A NaN is beyond all numbers: it comes last ascending
// and first descending; NaNs are equal to one another, and so are 0 and -0.
// Axes count from 0; indices are int32. Every row, that is every combination of
// the other axes, is a merge sort of its indices, n log2(n) steps on one
// thread; rows are shared out over the threads.
//
// Element types: those that compare, floats and integers.
#ifndef ASSAY_COMPILER_OPS_SORTING_SORT_H_
#define ASSAY_COMPILER_OPS_SORTING_SORT_H_

#include <cstdint>
#include <functional>
#include <string>

#include "compiler/te/extern.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

enum class SortOrder : uint8_t { kAscending, kDescending };

// What ends up at each of the first `k` places along the axis.
te::Tensor ArgSort(const te::Tensor& x, int axis, int64_t k, SortOrder order,
                   DType index_type = DType::Int32(),
                   const std::string& name = "argsort");

struct SortedElements {
  te::Tensor values, indices;
};

SortedElements Sort(const te::Tensor& x, int axis, SortOrder order,
                    const std::string& name = "sort");

// The first `k` of the sorted elements: the largest where the order is
// descending. `k` is from 1 to the extent of the axis, which it replaces in the
// shapes of the results.
SortedElements TopK(const te::Tensor& x, int axis, int64_t k, SortOrder order,
                    const std::string& name = "top_k");

// For other operators that sort: statements that fill `order`, int32[n], with
// the indices 0 to n - 1, stably sorted. `before(a, b)` is whether what is at
// index `a` must come before what is at index `b`; it is asked of indices of
// the row only.
void SortIndices(te::Extern& e, const te::Array& order, int64_t n,
                 const std::function<expr::Expr(const expr::Expr& a,
                                                const expr::Expr& b)>& before);

// Whether `a` comes before `b` in that order, and is not equal to it.
expr::Expr ComesBefore(const expr::Expr& a, const expr::Expr& b,
                       SortOrder order);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_SORTING_SORT_H_
