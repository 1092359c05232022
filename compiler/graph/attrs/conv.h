// Attributes of convolutions (compiler/graph/op/attrs.h).
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_CONV_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_CONV_H_

#include <cstdint>

#include "compiler/graph/attrs/attr_field.h"

namespace assay::graph {

// Attributes of conv2d. The attributes determine the layouts of data, weights
// and result as follows. Here ib means in_block, and ob means out_block.
//   - Plain (in_block and out_block are 0): data [N,C,H,W], weights
//     [O,C/groups,KH,KW], result [N,O,OH,OW].
//   - Blocked (in_block and out_block are > 0): data [N,C/ib,H,W,ib], weights
//     [O/ob,Cg/wi,KH,KW,wi,ob], result [N,O/ob,OH,OW,ob]. Cg = C/groups is the
//     number of input channels per group, and wi = min(ib,Cg). If there are
//     several groups, ib must be a divisor or a multiple of Cg. In this case,
//     ob must also be a divisor or a multiple of O/groups. Data and weights are
//     float32. They may also be integers if the convolution is depthwise, that
//     is, if groups = C = O > 1 and ib = ob.
//   - Blocked with winograd = m: like Blocked, except that the weights are the
//     result of winograd_weights, which has the shape
//     [m+2,m+2,O/block,C,block]. `block` is the attribute of winograd_weights
//     and may differ from ob.
//   - Blocked with depth = d, for integers only: like Blocked, except that the
//     weights are [O/ob,Cg/ib,KH,KW,ib/d,ob,d]. The last axis contains d
//     consecutive input channels. ib must be a divisor of Cg, and ob one of
//     O/groups.
//   - Blocked with bfloat16_parts = 2: like Blocked, with groups = 1 and
//     ob = 16, but the weights are bfloat16 [O/16,c,KH,KW,2,16,16,2], the parts
//     of split_bfloat16 in tiles of a matrix unit: part p of the weight for
//     filter o, channel i is element [o/16,i/32,kh,kw,p,i%32/2,o%16,i%2]. The
//     c blocks of 32 channels may exceed C; the rest is 0.
//   - The same with folded_columns = KW, for few channels: the weights are
//     those of a filter of KW*C channels and one column,
//     [O/16,c,KH,1,2,16,16,2]. Its channel j*C+i is channel i in column j of
//     the filter.
struct Conv2dAttrs {
  Pair strides = {1, 1};
  Padding padding = {0, 0, 0, 0};
  Pair dilations = {1, 1};
  int64_t groups = 1;
  int64_t in_block = 0;
  int64_t out_block = 0;
  // 0: direct convolution; otherwise the extent m of an output tile of
  // Winograd's algorithm (winograd.h).
  int64_t winograd = 0;
  int64_t depth = 0;
  // 0, or 2 if the weights are split in parts.
  int64_t bfloat16_parts = 0;
  // 0, or the number of columns of the filter if they are stored like channels.
  int64_t folded_columns = 0;
  // The value of padding. It may only differ from 0 for integers, whose zero
  // point it is.
  int64_t pad_value = 0;

  static constexpr auto Fields() {
    using A = Conv2dAttrs;
    return FieldList(
        Required("strides", &A::strides), Required("padding", &A::padding),
        Required("dilations", &A::dilations), Required("groups", &A::groups),
        Optional("in_block", &A::in_block),
        Optional("out_block", &A::out_block),
        Optional("winograd", &A::winograd), Optional("depth", &A::depth),
        Optional("bfloat16_parts", &A::bfloat16_parts),
        Optional("folded_columns", &A::folded_columns),
        Optional("pad_value", &A::pad_value));
  }
};

// Attributes of conv2d_transpose. If in_block and out_block are 0, the layout
// of the data is [N,C,H,W] and that of the weights is [C,O/groups,KH,KW]. If
// both are > 0, data, weights and result have the layouts of a blocked conv2d.
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
    return FieldList(
        Required("strides", &A::strides), Required("padding", &A::padding),
        Required("dilations", &A::dilations),
        Required("output_padding", &A::output_padding),
        Required("groups", &A::groups), Optional("in_block", &A::in_block),
        Optional("out_block", &A::out_block));
  }
};

// Attributes of winograd_weights, which computes the filter transform of
// Winograd's algorithm (compiler/graph/op/winograd.h) for tiles of m x m output
// elements. Its operand has the shape [O,C,3,3], and its result has the shape
// [m+2,m+2,O/block,C,block].
struct WinogradWeightsAttrs {
  int64_t m = 0;
  int64_t block = 0;

  static constexpr auto Fields() {
    using A = WinogradWeightsAttrs;
    return FieldList(Required("m", &A::m), Required("block", &A::block));
  }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_CONV_H_
