// Attributes of pooling operators (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_POOL_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_POOL_H_

#include <cstdint>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

// max_pool2d and avg_pool2d.
struct Pool2dAttrs {
  Pair kernel = {1, 1};
  Pair strides = {1, 1};
  Padding padding = {0, 0, 0, 0};
  Pair dilations = {1, 1};
  // If true, the extents of the result are rounded up, so the last window along
  // an axis may extend beyond the padding after the data. A window that would
  // begin after the data is not computed.
  bool ceil_mode = false;
  // For avg_pool2d only: if true, the divisor also counts the elements of the
  // window that lie in the padding. Elements beyond the padding are never
  // counted.
  bool count_include_pad = false;

  static constexpr auto Fields() {
    using A = Pool2dAttrs;
    return FieldList(
        Required("kernel", &A::kernel), Required("strides", &A::strides),
        Required("padding", &A::padding), Optional("dilations", &A::dilations),
        Optional("ceil_mode", &A::ceil_mode),
        Optional("count_include_pad", &A::count_include_pad));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_POOL_H_
