// The attribute structs of operators that move or convert data, and of
// conv2d_transpose (attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_DATA_ATTRS_H_
#define ASSAY_COMPILER_GRAPH_DATA_ATTRS_H_

#include <cstdint>
#include <tuple>
#include <vector>

#include "compiler/graph/attr_field.h"
#include "runtime/base/dtype.h"

namespace assay::graph {

// Result index i reads operand index begins + i * steps, per axis; steps may
// be negative but not 0.
struct SliceAttrs {
  std::vector<int64_t> begins;
  std::vector<int64_t> steps;
  std::vector<int64_t> sizes;  // of the result

  static constexpr auto Fields() {
    using A = SliceAttrs;
    return std::make_tuple(Required("begins", &A::begins),
                           Required("steps", &A::steps),
                           Required("sizes", &A::sizes));
  }
};

// `value` before and after the operand, per axis.
struct PadAttrs {
  std::vector<int64_t> before;
  std::vector<int64_t> after;
  float value = 0;

  static constexpr auto Fields() {
    using A = PadAttrs;
    return std::make_tuple(Required("before", &A::before),
                           Required("after", &A::after),
                           Optional("value", &A::value));
  }
};

struct CastAttrs {
  DType dtype;

  static constexpr auto Fields() {
    return std::make_tuple(Required("dtype", &CastAttrs::dtype));
  }
};

// quantize, dequantize, requantize. `axis` is the one that a scale of several
// elements has one element of for each index; `dtype` that of the result.
struct QuantizeAttrs {
  int64_t axis = 1;
  DType dtype;

  static constexpr auto Fields() {
    using A = QuantizeAttrs;
    return std::make_tuple(Required("axis", &A::axis),
                           Required("dtype", &A::dtype));
  }
};

// conv2d_transpose. Plain: data [N,C,H,W], weights [C,O/groups,KH,KW]. Blocked:
// data, weights and result as conv2d in blocks has them (attrs.h).
struct Conv2dTransposeAttrs {
  Pair strides = {1, 1};
  Padding padding = {0, 0, 0, 0};
  Pair dilations = {1, 1};
  Pair output_padding = {0, 0};
  int64_t groups = 1;
  int64_t in_block = 0;
  int64_t out_block = 0;

  static constexpr auto Fields() {
    using A = Conv2dTransposeAttrs;
    return std::make_tuple(
        Required("strides", &A::strides), Required("padding", &A::padding),
        Required("dilations", &A::dilations),
        Required("output_padding", &A::output_padding),
        Required("groups", &A::groups), Optional("in_block", &A::in_block),
        Optional("out_block", &A::out_block));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_DATA_ATTRS_H_
