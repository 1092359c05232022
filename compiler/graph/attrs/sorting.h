// Attributes of operators that sort (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_SORTING_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_SORTING_H_

#include <cstdint>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

// The result holds the indices of the first `k` elements in sorted order along
// `axis`.
struct ArgSortAttrs {
  int64_t axis = 0;
  int64_t k = 1;
  bool descending = false;

  static constexpr auto Fields() {
    using A = ArgSortAttrs;
    return FieldList(Required("axis", &A::axis), Required("k", &A::k),
                     Optional("descending", &A::descending));
  }
};

// The distinct slices along `axis` are numbered in ascending lexicographic
// order if `sorted`, otherwise in the order of their first occurrences.
struct UniqueAttrs {
  int64_t axis = 0;
  bool sorted = true;

  static constexpr auto Fields() {
    using A = UniqueAttrs;
    return FieldList(Required("axis", &A::axis),
                     Required("sorted", &A::sorted));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_SORTING_H_
