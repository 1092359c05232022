// Attributes of operators that sort (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_SORTING_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_SORTING_H_

#include <cstdint>
#include <tuple>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

// Returns the first `k` elements of the sorted order along `axis`.
struct ArgSortAttrs {
  int64_t axis = 0;
  int64_t k = 1;
  bool descending = false;

  static constexpr auto Fields() {
    using A = ArgSortAttrs;
    return std::make_tuple(Required("axis", &A::axis), Required("k", &A::k),
                           Optional("descending", &A::descending));
  }
};

// Orders the distinct slices along `axis` ascending if `sorted`, otherwise by
// first occurrence.
struct UniqueAttrs {
  int64_t axis = 0;
  bool sorted = true;

  static constexpr auto Fields() {
    using A = UniqueAttrs;
    return std::make_tuple(Required("axis", &A::axis),
                           Required("sorted", &A::sorted));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_SORTING_H_
