// Attributes of reductions (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_REDUCTION_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_REDUCTION_H_

#include <cstdint>
#include <tuple>
#include <vector>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

struct ReduceAttrs {
  std::vector<int64_t> axes;  // ascending, at least one
  bool keepdims = false;      // keeps reduced axes, with one element

  static constexpr auto Fields() {
    using A = ReduceAttrs;
    return std::make_tuple(Required("axes", &A::axes),
                           Optional("keepdims", &A::keepdims));
  }
};

// arg_max and arg_min.
struct ArgReduceAttrs {
  int64_t axis = 0;
  bool keepdims = false;  // keeps the axis, with one element
  bool last = false;      // returns the last of equal elements, not the first

  static constexpr auto Fields() {
    using A = ArgReduceAttrs;
    return std::make_tuple(Required("axis", &A::axis),
                           Optional("keepdims", &A::keepdims),
                           Optional("last", &A::last));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_REDUCTION_H_
