#include <algorithm>

#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/rules.h"
#include "compiler/graph/op/winograd.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

Result PlainConv2d(const Conv2dAttrs& a, DType sum, const TensorType& data,
                   const TensorType& weights) {
  if (weights.rank() != 4) {
    return Invalid("weights are ", weights.ToString(), " but rank 4 is needed");
  }
  const int64_t channels = data.shape[1];
  const int64_t filters = weights.shape[0];
  if (a.groups < 1 || channels % a.groups != 0 || filters % a.groups != 0) {
    return Invalid(a.groups, " groups do not divide ", channels,
                   " channels and ", filters, " filters");
  }
  if (weights.shape[1] != channels / a.groups) {
    return Invalid("data has ", channels, " channels in ", a.groups,
                   " groups but weights expect ", weights.shape[1],
                   " per group");
  }
  ASSAY_ASSIGN_OR_RETURN(const Pair out,
                         WindowResult({{weights.shape[2], weights.shape[3]},
                                       a.strides,
                                       a.padding,
                                       a.dilations},
                                      data.shape[2], data.shape[3]));
  return TensorType{sum, {data.shape[0], filters, out[0], out[1]}};
}

// Floats are padded with 0, and integers with a value of their type.
absl::Status ExpectPadValue(int64_t value, DType dtype) {
  if (value == 0) return absl::OkStatus();
  const int64_t least =
      dtype.is_int() ? -(int64_t{1} << (dtype.bits() - 1)) : 0;
  if (!dtype.is_float() && dtype.bits() <= 16 && value >= least &&
      value < least + (int64_t{1} << dtype.bits())) {
    return absl::OkStatus();
  }
  return Invalid("pad_value ", value, " is not possible for data of type ",
                 dtype.ToString());
}

// Expects blocked data and matching weights [O/ob,Cg/wi,KH,KW,wi,ob] with Cg
// channels per group and wi = min(Cg, ib). Groups and blocks must nest.
absl::Status ExpectBlocks(int64_t in_block, int64_t out_block, int64_t groups,
                          const TensorType& data, const TensorType& weights) {
  if (in_block <= 0 || out_block <= 0) {
    return Invalid("in_block ", in_block, " and out_block ", out_block,
                   " must both be zero or both positive");
  }
  const int64_t channels = data.shape[1] * in_block;
  const auto fit = [&](int64_t count, int64_t block) {
    if (groups < 1 || count % groups != 0) return false;
    const int64_t each = count / groups;
    return groups == 1 || each % block == 0 || block % each == 0;
  };
  if (!fit(channels, in_block)) {
    return Invalid(groups, " groups do not divide ", channels,
                   " channels in blocks of ", in_block);
  }
  const int64_t inner = std::min(in_block, channels / groups);
  if (weights.rank() != 6 || weights.shape[4] != inner ||
      weights.shape[5] != out_block) {
    return Invalid("weights are ", weights.ToString(),
                   " but rank 6 ending in the blocks ", inner, ",", out_block,
                   " is needed");
  }
  if (weights.shape[1] * inner != channels / groups) {
    return Invalid("data has ", data.shape[1], " channel blocks in ", groups,
                   " groups but weights are ", weights.ToString());
  }
  const int64_t filters = weights.shape[0] * out_block;
  if (!fit(filters, out_block)) {
    return Invalid(groups, " groups do not divide ", filters,
                   " filters in blocks of ", out_block);
  }
  return absl::OkStatus();
}

// Expects as many groups as channels and filters, in equal blocks. The blocks
// must have passed ExpectBlocks.
absl::Status ExpectDepthwise(const Conv2dAttrs& a, const TensorType& data,
                             const TensorType& weights) {
  const int64_t channels = data.shape[1] * a.in_block;
  const int64_t filters = weights.shape[0] * a.out_block;
  if (a.groups > 1 && a.groups == channels && a.groups == filters &&
      a.in_block == a.out_block) {
    return absl::OkStatus();
  }
  return Invalid("integers in blocks need depth or a depthwise convolution, ",
                 "but there are ", channels, " channels in blocks of ",
                 a.in_block, ", ", filters, " filters in blocks of ",
                 a.out_block, " and groups of ", a.groups);
}

Result BlockedConv2d(const Conv2dAttrs& a, DType sum, const TensorType& data,
                     const TensorType& weights) {
  ASSAY_RETURN_IF_ERROR(
      ExpectBlocks(a.in_block, a.out_block, a.groups, data, weights));
  if (sum == DType::Int32()) {
    ASSAY_RETURN_IF_ERROR(ExpectDepthwise(a, data, weights));
  }
  ASSAY_ASSIGN_OR_RETURN(const Pair out,
                         WindowResult({{weights.shape[2], weights.shape[3]},
                                       a.strides,
                                       a.padding,
                                       a.dilations},
                                      data.shape[2], data.shape[3]));
  return TensorType{
      sum, {data.shape[0], weights.shape[0], out[0], out[1], a.out_block}};
}

// Blocked conv2d with several input channels innermost in the weights.
Result DeepConv2d(const Conv2dAttrs& a, DType sum, const TensorType& data,
                  const TensorType& weights) {
  if (sum != DType::Int32() || a.depth < 1 || a.in_block < 1 ||
      a.out_block < 1 || a.groups < 1 || a.in_block % a.depth != 0 ||
      data.shape[1] % a.groups != 0) {
    return Invalid("depth ", a.depth, " needs integers, an in_block that is a ",
                   "multiple of it, and groups of whole blocks, but the data ",
                   "is ", data.ToString(), " with in_block ", a.in_block,
                   " in ", a.groups, " groups");
  }
  const int64_t blocks = data.shape[1] / a.groups;
  const Shape tail = {a.in_block / a.depth, a.out_block, a.depth};
  if (weights.rank() != 7 || weights.shape[0] % a.groups != 0 ||
      weights.shape[1] != blocks ||
      Shape(weights.shape.begin() + 4, weights.shape.end()) != tail) {
    return Invalid("weights are ", weights.ToString(), " but [O/ob,", blocks,
                   ",KH,KW,", tail[0], ",", tail[1], ",", tail[2],
                   "], with O/ob a multiple of ", a.groups,
                   " groups, is needed");
  }
  ASSAY_ASSIGN_OR_RETURN(const Pair out,
                         WindowResult({{weights.shape[2], weights.shape[3]},
                                       a.strides,
                                       a.padding,
                                       a.dilations},
                                      data.shape[2], data.shape[3]));
  return TensorType{
      sum, {data.shape[0], weights.shape[0], out[0], out[1], a.out_block}};
}

Result WinogradConv2d(const Conv2dAttrs& a, const TensorType& data,
                      const TensorType& weights) {
  const WinogradMatrices* w = FindWinograd(a.winograd);
  if (w == nullptr) {
    return Invalid("there is no winograd algorithm for tiles of ", a.winograd);
  }
  const Pair ones = {1, 1};
  if (a.strides != ones || a.dilations != ones || a.groups != 1) {
    return Invalid("winograd needs strides, dilations and groups of 1");
  }
  if (a.in_block <= 0 || a.out_block <= 0) {
    return Invalid("winograd needs the blocked layout");
  }
  const int64_t channels = data.shape[1] * a.in_block;
  if (weights.rank() != 5 || weights.shape[0] != w->alpha ||
      weights.shape[1] != w->alpha || weights.shape[3] != channels ||
      weights.shape[2] * weights.shape[4] % a.out_block != 0) {
    return Invalid("weights are ", weights.ToString(), " but [", w->alpha, ",",
                   w->alpha, ",O/b,", channels,
                   ",b] with O a multiple of out_block ", a.out_block,
                   " is needed");
  }
  ASSAY_ASSIGN_OR_RETURN(const Pair out,
                         WindowResult({{3, 3}, ones, a.padding, ones},
                                      data.shape[2], data.shape[3]));
  return TensorType{
      data.dtype,
      {data.shape[0], weights.shape[2] * weights.shape[4] / a.out_block, out[0],
       out[1], a.out_block}};
}

// Blocked conv2d of float32 whose weights are split in two bfloat16.
Result SplitConv2d(const Conv2dAttrs& a, const TensorType& data,
                   const TensorType& weights) {
  const Shape& w = weights.shape;
  if (data.dtype != DType::Float32() || weights.dtype != DType::BFloat16() ||
      a.bfloat16_parts != 2 || a.groups != 1 || a.winograd != 0 ||
      a.depth != 0 || a.in_block < 1 || a.out_block != 16 ||
      weights.rank() != 8 ||
      Shape(w.begin() + 4, w.end()) != Shape{2, 16, 16, 2} ||
      data.shape[1] * a.in_block > w[1] * 32) {
    return Invalid("operands are ", data.ToString(), " and ",
                   weights.ToString(), " but blocks of float32 and bfloat16 ",
                   "[O/16,blocks of 32 channels,KH,KW,2,16,16,2], in one ",
                   "group, are needed for ", a.bfloat16_parts,
                   " bfloat16_parts");
  }
  const int64_t folded = a.folded_columns;
  const int64_t most = w[1] * 32 / (data.shape[1] * a.in_block);
  if (folded < 0 || folded > most || (folded > 0 && w[3] != 1)) {
    return Invalid("folded_columns ", folded,
                   " needs one column of weights and ", "is at most ", most,
                   " for data ", data.ToString(), " and weights ",
                   weights.ToString());
  }
  ASSAY_ASSIGN_OR_RETURN(const Pair out,
                         WindowResult({{w[2], folded > 0 ? folded : w[3]},
                                       a.strides,
                                       a.padding,
                                       a.dilations},
                                      data.shape[2], data.shape[3]));
  return TensorType{data.dtype,
                    {data.shape[0], w[0], out[0], out[1], a.out_block}};
}

}  // namespace

Result SplitBFloat16(OpKind, const NoAttrs&, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  Shape shape = inputs[0].shape;
  shape.insert(shape.begin(), 2);
  return TensorType{DType::BFloat16(), shape};
}

Result WinogradWeights(OpKind, const WinogradWeightsAttrs& attrs,
                       Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectElements(inputs));
  const WinogradMatrices* w = FindWinograd(attrs.m);
  if (w == nullptr) {
    return Invalid("there is no winograd algorithm for tiles of ", attrs.m);
  }
  const TensorType& x = inputs[0];
  if (x.rank() != 4 || x.shape[2] != 3 || x.shape[3] != 3 || attrs.block <= 0 ||
      x.shape[0] % attrs.block != 0) {
    return Invalid("weights are ", x.ToString(),
                   " but [O,C,3,3] with O a multiple of the block ",
                   attrs.block, " is needed");
  }
  return TensorType{
      x.dtype,
      {w->alpha, w->alpha, x.shape[0] / attrs.block, x.shape[1], attrs.block}};
}

Result Conv2d(OpKind, const Conv2dAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_RETURN_IF_ERROR(ExpectImage(inputs[0], attrs.in_block));
  ASSAY_RETURN_IF_ERROR(ExpectElements(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectPadValue(attrs.pad_value, inputs[0].dtype));
  const bool plain =
      attrs.in_block == 0 && attrs.out_block == 0 && attrs.winograd == 0;
  if (attrs.bfloat16_parts != 0) {
    return SplitConv2d(attrs, inputs[0], inputs[1]);
  }
  if (attrs.folded_columns != 0) {
    return Invalid("folded_columns ", attrs.folded_columns,
                   " needs bfloat16_parts");
  }
  ASSAY_ASSIGN_OR_RETURN(const DType sum, DotProductType(inputs));
  if (attrs.depth != 0) return DeepConv2d(attrs, sum, inputs[0], inputs[1]);
  if (plain) return PlainConv2d(attrs, sum, inputs[0], inputs[1]);
  if (sum != DType::Int32() || attrs.winograd != 0) {
    ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  }
  if (attrs.winograd != 0) return WinogradConv2d(attrs, inputs[0], inputs[1]);
  return BlockedConv2d(attrs, sum, inputs[0], inputs[1]);
}

Result Conv2dTranspose(OpKind, const Conv2dTransposeAttrs& a, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectElements(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectImage(inputs[0], a.in_block));
  const TensorType &x = inputs[0], &w = inputs[1];
  ASSAY_RETURN_IF_ERROR(ExpectRange("strides", a.strides, 1));
  ASSAY_RETURN_IF_ERROR(ExpectRange("padding", a.padding, 0));
  ASSAY_RETURN_IF_ERROR(ExpectRange("dilations", a.dilations, 1));
  ASSAY_RETURN_IF_ERROR(ExpectRange("output_padding", a.output_padding, 0));
  TensorType type = x;
  if (a.in_block > 0 || a.out_block > 0) {
    ASSAY_RETURN_IF_ERROR(
        ExpectBlocks(a.in_block, a.out_block, a.groups, x, w));
    type.shape[1] = w.shape[0];
    type.shape[4] = a.out_block;
  } else {
    if (w.rank() != 4 || a.groups < 1 || x.shape[1] % a.groups != 0 ||
        w.shape[0] != x.shape[1]) {
      return Invalid("weights are ", w.ToString(), " for data ", x.ToString(),
                     " in ", a.groups, " groups");
    }
    type.shape[1] = w.shape[1] * a.groups;
  }
  for (int d = 0; d < 2; ++d) {
    const int64_t reach = a.dilations[d] * (w.shape[d + 2] - 1) + 1;
    type.shape[d + 2] = (x.shape[d + 2] - 1) * a.strides[d] + reach -
                        a.padding[d] - a.padding[d + 2] + a.output_padding[d];
    if (type.shape[d + 2] < 1) {
      return Invalid("padding ", ShapeToString(a.padding),
                     " leaves nothing of the result");
    }
  }
  return type;
}

}  // namespace assay::graph::infer
