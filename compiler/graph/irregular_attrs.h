// The attribute structs of operators whose results depend on the data in more
// than their elements (attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_IRREGULAR_ATTRS_H_
#define ASSAY_COMPILER_GRAPH_IRREGULAR_ATTRS_H_

#include <cstdint>
#include <limits>
#include <tuple>

#include "compiler/graph/attr_field.h"

namespace assay::graph {

// At most `most` boxes of each class of each image, those whose score is above
// `score_threshold` and that overlap no better one by more than
// `iou_threshold`. A box is [y1, x1, y2, x2], two opposite corners in any
// order, or with `center` [x, y, width, height] about its centre.
struct NonMaxSuppressionAttrs {
  int64_t most = 0;
  float iou_threshold = 0;
  float score_threshold = -std::numeric_limits<float>::infinity();
  bool center = false;

  static constexpr auto Fields() {
    using A = NonMaxSuppressionAttrs;
    return std::make_tuple(Required("most", &A::most),
                           Required("iou_threshold", &A::iou_threshold),
                           Optional("score_threshold", &A::score_threshold),
                           Optional("center", &A::center));
  }
};

// The different indices along `axis`, in ascending order, or where they are not
// `sorted` in the order in which they occur first.
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

#endif  // ASSAY_COMPILER_GRAPH_IRREGULAR_ATTRS_H_
