// The attribute structs of pooling, reductions, normalisation and dense layers
// (attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_NN_ATTRS_H_
#define ASSAY_COMPILER_GRAPH_NN_ATTRS_H_

#include <cstdint>
#include <tuple>
#include <vector>

#include "compiler/graph/attr_field.h"

namespace assay::graph {

// max_pool2d and avg_pool2d.
struct Pool2dAttrs {
  Pair kernel = {1, 1};
  Pair strides = {1, 1};
  Padding padding = {0, 0, 0, 0};
  Pair dilations = {1, 1};
  // Round the result's extent up: a window may end beyond the padding after
  // the data, but not begin in it.
  bool ceil_mode = false;
  // avg_pool2d only: whether elements of the padding count in the divisor.
  // What lies beyond the padding never does.
  bool count_include_pad = false;
  int64_t block = 0;

  static constexpr auto Fields() {
    using A = Pool2dAttrs;
    return std::make_tuple(
        Required("kernel", &A::kernel), Required("strides", &A::strides),
        Required("padding", &A::padding), Optional("dilations", &A::dilations),
        Optional("ceil_mode", &A::ceil_mode),
        Optional("count_include_pad", &A::count_include_pad),
        Optional("block", &A::block));
  }
};

struct GlobalPool2dAttrs {
  int64_t block = 0;

  static constexpr auto Fields() {
    return std::make_tuple(Optional("block", &GlobalPool2dAttrs::block));
  }
};

struct ReduceAttrs {
  std::vector<int64_t> axes;  // ascending, at least one
  // Reduced axes stay, with one element.
  bool keepdims = false;

  static constexpr auto Fields() {
    return std::make_tuple(Required("axes", &ReduceAttrs::axes),
                           Optional("keepdims", &ReduceAttrs::keepdims));
  }
};

// arg_max and arg_min.
struct ArgReduceAttrs {
  int64_t axis = 0;
  // The axis stays, with one element.
  bool keepdims = false;
  // Of equal elements the last one counts, not the first.
  bool last = false;

  static constexpr auto Fields() {
    using A = ArgReduceAttrs;
    return std::make_tuple(Required("axis", &A::axis),
                           Optional("keepdims", &A::keepdims),
                           Optional("last", &A::last));
  }
};

// softmax and log_softmax.
struct SoftmaxAttrs {
  int64_t axis = 0;

  static constexpr auto Fields() {
    return std::make_tuple(Required("axis", &SoftmaxAttrs::axis));
  }
};

struct PackedDenseAttrs {
  // How many columns of the panels count; those beyond are padding.
  int64_t units = 0;

  static constexpr auto Fields() {
    return std::make_tuple(Required("units", &PackedDenseAttrs::units));
  }
};

struct LayerNormAttrs {
  int64_t axis = 0;  // the first of those that are normalised
  float epsilon = 1e-5f;

  static constexpr auto Fields() {
    return std::make_tuple(Required("axis", &LayerNormAttrs::axis),
                           Required("epsilon", &LayerNormAttrs::epsilon));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_NN_ATTRS_H_
