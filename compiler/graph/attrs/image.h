// Attributes of operators on images and regions of them
// (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_IMAGE_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_IMAGE_H_

#include <cstdint>
#include <limits>
#include <tuple>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

struct ResampleAttrs {
  int64_t axis = 0;

  static constexpr auto Fields() {
    return std::make_tuple(Required("axis", &ResampleAttrs::axis));
  }
};

// Each result element is interpolated from `taps` elements along each axis: 1
// is nearest, 2 linear, 4 cubic. Elements outside the data are 0, with `border`
// the nearest border element, and with `reflect` the data mirrored at its
// border. With `align_corners` the coordinates -1 and 1 are the centres of the
// first and last element, and mirroring is about these centres; otherwise they
// are the outer edges of these elements.
struct GridSampleAttrs {
  int64_t taps = 2;
  bool border = false;
  bool reflect = false;
  bool align_corners = false;

  static constexpr auto Fields() {
    using A = GridSampleAttrs;
    return std::make_tuple(Optional("taps", &A::taps),
                           Optional("border", &A::border),
                           Optional("reflect", &A::reflect),
                           Optional("align_corners", &A::align_corners));
  }
};

// Each bin is the average, or with `max` the maximum, of `sampling` x
// `sampling` points; 0 means the number of pixels of the bin, rounded up. With
// `half_pixel` pixel centres lie at half-integer coordinates.
struct RoiAlignAttrs {
  Pair output = {1, 1};  // rows, columns
  int64_t sampling = 0;
  float scale = 1;
  bool max = false;
  bool half_pixel = false;

  static constexpr auto Fields() {
    using A = RoiAlignAttrs;
    return std::make_tuple(
        Required("output", &A::output), Required("sampling", &A::sampling),
        Required("scale", &A::scale), Optional("max", &A::max),
        Optional("half_pixel", &A::half_pixel));
  }
};

struct MaxRoiPoolAttrs {
  Pair output = {1, 1};
  float scale = 1;

  static constexpr auto Fields() {
    using A = MaxRoiPoolAttrs;
    return std::make_tuple(Required("output", &A::output),
                           Required("scale", &A::scale));
  }
};

// Selects at most `most` boxes of each class of each image: those whose score
// is above `score_threshold` and that overlap no better box by more than
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

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_IMAGE_H_
