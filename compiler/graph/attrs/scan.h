// Attributes of operators that scan along an axis (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_SCAN_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_SCAN_H_

#include <cstdint>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

struct CumSumAttrs {
  int64_t axis = 0;
  // If true, the sum at an index excludes the element at this index.
  bool exclusive = false;
  bool reverse = false;  // if true, sums start at the end of the axis

  static constexpr auto Fields() {
    using A = CumSumAttrs;
    return FieldList(Required("axis", &A::axis),
                     Optional("exclusive", &A::exclusive),
                     Optional("reverse", &A::reverse));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_SCAN_H_
