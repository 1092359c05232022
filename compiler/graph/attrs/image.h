// Attributes of operators on images and on regions of images
// (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_IMAGE_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_IMAGE_H_

#include <cstdint>
#include <limits>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

struct ResampleAttrs {
  int64_t axis = 0;

  static constexpr auto Fields() {
    return FieldList(Required("axis", &ResampleAttrs::axis));
  }
};

// Each result element is interpolated from `taps` elements along each axis. The
// interpolation is nearest-neighbour for 1 tap, linear for 2 and cubic for 4.
//
// A tap outside the data reads
//   - the data mirrored at its border if `reflect`;
//   - otherwise the nearest border element if `border`;
//   - otherwise 0.
//
// Coordinates -1 and 1 mark the border of the data along an axis. If
// `align_corners`, the border is at the centres of the first and the last
// element; otherwise it is at their outer edges.
struct GridSampleAttrs {
  int64_t taps = 2;
  bool border = false;
  bool reflect = false;
  bool align_corners = false;

  static constexpr auto Fields() {
    using A = GridSampleAttrs;
    return FieldList(Optional("taps", &A::taps), Optional("border", &A::border),
                     Optional("reflect", &A::reflect),
                     Optional("align_corners", &A::align_corners));
  }
};

// Each region is divided into `output` bins. A bin is sampled at `sampling` x
// `sampling` points; if `sampling` is 0, the number of points along an axis is
// the extent of the bin in pixels, rounded up. The value at a point is
// interpolated bilinearly from four pixels.
//
// The result for a bin is the average of its points. If `max`, the values of
// the four pixels are multiplied by their interpolation weights but not added:
// the result is the maximum of these products over all points of the bin.
//
// Region coordinates are multiplied by `scale`. If `half_pixel`, pixel centres
// have half-integer coordinates; otherwise they have integer coordinates.
struct RoiAlignAttrs {
  Pair output = {1, 1};  // numbers of rows and of columns
  int64_t sampling = 0;
  float scale = 1;
  bool max = false;
  bool half_pixel = false;

  static constexpr auto Fields() {
    using A = RoiAlignAttrs;
    return FieldList(Required("output", &A::output),
                     Required("sampling", &A::sampling),
                     Required("scale", &A::scale), Optional("max", &A::max),
                     Optional("half_pixel", &A::half_pixel));
  }
};

struct MaxRoiPoolAttrs {
  Pair output = {1, 1};  // numbers of rows and of columns
  float scale = 1;

  static constexpr auto Fields() {
    using A = MaxRoiPoolAttrs;
    return FieldList(Required("output", &A::output),
                     Required("scale", &A::scale));
  }
};

// Selects at most `most` boxes per class and image, in the order of descending
// scores. A box is selected if
//   - its score is above `score_threshold`, and
//   - its intersection over union with each box already selected for this class
//     and image is at most `iou_threshold`.
// A box is [y1, x1, y2, x2], two opposite corners in any order. If `center`, a
// box is [x, y, width, height], where (x, y) is its centre.
struct NonMaxSuppressionAttrs {
  int64_t most = 0;
  float iou_threshold = 0;
  float score_threshold = -std::numeric_limits<float>::infinity();
  bool center = false;

  static constexpr auto Fields() {
    using A = NonMaxSuppressionAttrs;
    return FieldList(Required("most", &A::most),
                     Required("iou_threshold", &A::iou_threshold),
                     Optional("score_threshold", &A::score_threshold),
                     Optional("center", &A::center));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_IMAGE_H_
