// The attribute structs of operators that resample images, pool regions of
// them, or reverse sequences (attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_IMAGE_ATTRS_H_
#define ASSAY_COMPILER_GRAPH_IMAGE_ATTRS_H_

#include <cstdint>
#include <tuple>

#include "compiler/graph/attr_field.h"

namespace assay::graph {

struct ResampleAttrs {
  int64_t axis = 0;

  static constexpr auto Fields() {
    return std::make_tuple(Required("axis", &ResampleAttrs::axis));
  }
};

// `taps` elements along each axis make one of the result: 1 is the nearest, 2
// linear, 4 cubic. Outside the data it is 0, or the element at the border, or
// with `reflect` the data mirrored at its border. With `align_corners` -1 and 1
// are the centres of the first and the last element, and what is mirrored
// begins there; otherwise they are the outer edges of these elements.
struct GridSampleAttrs {
  int64_t taps = 2;
  bool border = false;
  bool reflect = false;
  bool align_corners = false;

  static constexpr auto Fields() {
    using A = GridSampleAttrs;
    return std::make_tuple(Required("taps", &A::taps),
                           Optional("border", &A::border),
                           Optional("reflect", &A::reflect),
                           Optional("align_corners", &A::align_corners));
  }
};

// `output` is (rows, columns). Each bin averages, or with `max` takes the
// largest of, `sampling` x `sampling` points, as many as the bin has pixels,
// rounded up, where that is 0. With `half_pixel` pixel centres lie at halves.
struct RoiAlignAttrs {
  Pair output = {1, 1};
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

struct ReverseSequenceAttrs {
  int64_t batch_axis = 1;
  int64_t time_axis = 0;

  static constexpr auto Fields() {
    using A = ReverseSequenceAttrs;
    return std::make_tuple(Required("batch_axis", &A::batch_axis),
                           Required("time_axis", &A::time_axis));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_IMAGE_ATTRS_H_
