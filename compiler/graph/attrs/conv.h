// Attributes of convolutions (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_CONV_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_CONV_H_

#include <cstdint>
#include <tuple>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

// conv2d.
// Plain: data [N,C,H,W], weights [O,C/groups,KH,KW].
// Blocked (both blocks > 0): data [N,C/ib,H,W,ib], weights
// [O/ob,Cg/wi,KH,KW,wi,ob] with Cg = C/groups channels per group and
// wi = min(ib,Cg), result [N,O/ob,OH,OW,ob]. With several groups, ib divides Cg
// or is a multiple of it; the same holds for ob and O/groups.
// Blocked with winograd = m: the weights are the result of winograd_weights,
// [m+2,m+2,O/wb,C,wb].
// Blocked with depth = d (integers only): weights [O/ob,C/ib,KH,KW,ib/d,ob,d]
// with d neighbouring input channels innermost.
struct Conv2dAttrs {
  Pair strides = {1, 1};
  Padding padding = {0, 0, 0, 0};
  Pair dilations = {1, 1};
  int64_t groups = 1;
  int64_t in_block = 0;
  int64_t out_block = 0;
  int64_t winograd = 0;  // 0: direct; otherwise the tile size (winograd.h)
  int64_t depth = 0;

  static constexpr auto Fields() {
    using A = Conv2dAttrs;
    return std::make_tuple(
        Required("strides", &A::strides), Required("padding", &A::padding),
        Required("dilations", &A::dilations), Required("groups", &A::groups),
        Optional("in_block", &A::in_block),
        Optional("out_block", &A::out_block),
        Optional("winograd", &A::winograd), Optional("depth", &A::depth));
  }
};

// conv2d_transpose. Plain: data [N,C,H,W], weights [C,O/groups,KH,KW]. Blocked:
// data, weights and result have the layouts of a blocked conv2d.
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

// winograd_weights: transforms each 3x3 filter of weights [O,C,3,3] as
// compiler/graph/op/winograd.h defines; result [m+2,m+2,O/block,C,block].
struct WinogradWeightsAttrs {
  int64_t m = 0;
  int64_t block = 0;

  static constexpr auto Fields() {
    using A = WinogradWeightsAttrs;
    return std::make_tuple(Required("m", &A::m), Required("block", &A::block));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_CONV_H_
