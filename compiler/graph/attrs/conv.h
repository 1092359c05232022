// Attributes of convolutions (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_CONV_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_CONV_H_

#include <cstdint>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

// Attributes of conv2d: data [N,C,H,W], weights [O,C/groups,KH,KW], result
// [N,O,OH,OW].
struct Conv2dAttrs {
  Pair strides = {1, 1};
  Padding padding = {0, 0, 0, 0};
  Pair dilations = {1, 1};
  int64_t groups = 1;
  // The value of padding. It may only differ from 0 for integers, whose zero
  // point it is.
  int64_t pad_value = 0;

  static constexpr auto Fields() {
    using A = Conv2dAttrs;
    return FieldList(
        Required("strides", &A::strides), Required("padding", &A::padding),
        Required("dilations", &A::dilations), Required("groups", &A::groups),
        Optional("pad_value", &A::pad_value));
  }
};

// Attributes of conv2d_transpose: data [N,C,H,W], weights [C,O/groups,KH,KW],
// result [N,O,OH,OW].
struct Conv2dTransposeAttrs {
  Pair strides = {1, 1};
  Padding padding = {0, 0, 0, 0};
  Pair dilations = {1, 1};
  Pair output_padding = {0, 0};
  int64_t groups = 1;

  static constexpr auto Fields() {
    using A = Conv2dTransposeAttrs;
    return FieldList(Required("strides", &A::strides),
                     Required("padding", &A::padding),
                     Required("dilations", &A::dilations),
                     Required("output_padding", &A::output_padding),
                     Required("groups", &A::groups));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_CONV_H_
