// Attributes of reductions (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_REDUCTION_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_REDUCTION_H_

#include <cstdint>
#include <vector>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

struct ReduceAttrs {
  std::vector<int64_t> axes;  // at least one axis, in ascending order
  bool keepdims = false;      // if true, reduced axes remain, with extent 1

  static constexpr auto Fields() {
    using A = ReduceAttrs;
    return FieldList(Required("axes", &A::axes),
                     Optional("keepdims", &A::keepdims));
  }
};

// Attributes of arg_max and arg_min.
struct ArgReduceAttrs {
  int64_t axis = 0;
  bool keepdims = false;  // if true, the axis remains, with extent 1
  // If several elements are equal, the last one is selected if `last` is true,
  // otherwise the first one.
  bool last = false;

  static constexpr auto Fields() {
    using A = ArgReduceAttrs;
    return FieldList(Required("axis", &A::axis),
                     Optional("keepdims", &A::keepdims),
                     Optional("last", &A::last));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_REDUCTION_H_
