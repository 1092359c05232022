#include <algorithm>

#include "compiler/graph/infer_types.h"
#include "compiler/graph/infer_types_internal.h"
#include "compiler/graph/winograd.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {
namespace {

// Bounds every attribute so that no sum or product below overflows.
constexpr int64_t kMaxAttr = int64_t{1} << 24;

absl::Status ExpectRange(absl::string_view what,
                         absl::Span<const int64_t> values, int64_t low) {
  for (int64_t v : values) {
    if (v < low || v > kMaxAttr) {
      return Invalid(what, " ", ShapeToString(values),
                     " is out of range; every entry lies between ", low,
                     " and ", kMaxAttr);
    }
  }
  return absl::OkStatus();
}

absl::Status ExpectFloat32(Types inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].dtype != DType::Float32()) {
      return Invalid("operand ", i, " is ", inputs[i].ToString(),
                     "; only float32 is supported");
    }
  }
  return ExpectElements(inputs);
}

bool IsNarrowInt(DType type) {
  return type == DType::Int(8) || type == DType::UInt(8) ||
         type == DType::Int(16);
}

// What sums of products of two operands are kept in, and so the result's type:
// float32 of floats of 16 or 32 bits, int32 of integers of 8 or 16.
absl::StatusOr<DType> SumType(Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectElements(inputs));
  const DType a = inputs[0].dtype, b = inputs[1].dtype;
  if (a == b && a.is_float() && a.bits() <= 32) return DType::Float32();
  if (IsNarrowInt(a) && IsNarrowInt(b)) return DType::Int32();
  return Invalid("operands are ", inputs[0].ToString(), " and ",
                 inputs[1].ToString(),
                 "; two of float32, float16 or bfloat16, or any of int8, uint8 "
                 "and int16 are supported");
}

// The same for products of matrices, which take any two of a wide type, too.
absl::StatusOr<DType> MatrixSumType(Types inputs) {
  const DType a = inputs[0].dtype;
  const bool is_wide = a == DType::Float64() ||
                       (!a.is_float() && !a.is_bool() && a.bits() >= 32);
  if (!is_wide || inputs[1].dtype != a) return SumType(inputs);
  ASSAY_RETURN_IF_ERROR(ExpectElements(inputs));
  return a;
}

// Rank 4 for the plain layout, rank 5 ending in `block` otherwise.
absl::Status ExpectImage(const TensorType& data, int64_t block) {
  if (block < 0) return Invalid("channel block ", block, " is negative");
  if (block == 0) {
    if (data.rank() == 4) return absl::OkStatus();
    return Invalid("data is ", data.ToString(), " but rank 4 is needed");
  }
  if (data.rank() == 5 && data.shape[4] == block) return absl::OkStatus();
  return Invalid("data is ", data.ToString(),
                 " but rank 5 ending in the channel block ", block,
                 " is needed");
}

struct Window {
  Pair kernel;
  Pair strides;
  Padding padding;
  Pair dilations;
  bool ceil_mode = false;
};

// The spatial extents of the result, both at least one.
absl::StatusOr<Pair> WindowResult(const Window& w, int64_t height,
                                  int64_t width) {
  ASSAY_RETURN_IF_ERROR(ExpectRange("kernel", w.kernel, 1));
  ASSAY_RETURN_IF_ERROR(ExpectRange("strides", w.strides, 1));
  ASSAY_RETURN_IF_ERROR(ExpectRange("padding", w.padding, 0));
  ASSAY_RETURN_IF_ERROR(ExpectRange("dilations", w.dilations, 1));
  const Pair in = {height, width};
  Pair out;
  for (int i = 0; i < 2; ++i) {
    out[i] = WindowExtent(in[i], w.kernel[i], w.strides[i], w.dilations[i],
                          w.padding[i], w.padding[i + 2], w.ceil_mode);
    if (out[i] < 1) {
      return Invalid("the window ", ShapeToString(w.kernel), " with dilations ",
                     ShapeToString(w.dilations), " does not fit in data of ",
                     height, " by ", width, " with padding ",
                     ShapeToString(w.padding));
    }
  }
  return out;
}

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

// Blocked data and the weights [O/ob,Cg/wi,KH,KW,wi,ob] that fit it, with Cg
// channels in a group and wi the smaller of Cg and ib. No group and no block
// is cut by the other.
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

Result BlockedConv2d(const Conv2dAttrs& a, const TensorType& data,
                     const TensorType& weights) {
  ASSAY_RETURN_IF_ERROR(
      ExpectBlocks(a.in_block, a.out_block, a.groups, data, weights));
  ASSAY_ASSIGN_OR_RETURN(const Pair out,
                         WindowResult({{weights.shape[2], weights.shape[3]},
                                       a.strides,
                                       a.padding,
                                       a.dilations},
                                      data.shape[2], data.shape[3]));
  return TensorType{
      data.dtype,
      {data.shape[0], weights.shape[0], out[0], out[1], a.out_block}};
}

// In blocks with several input channels innermost in the weights.
Result DeepConv2d(const Conv2dAttrs& a, DType sum, const TensorType& data,
                  const TensorType& weights) {
  if (sum != DType::Int32() || a.depth < 1 || a.in_block < 1 ||
      a.out_block < 1 || a.groups != 1 || a.in_block % a.depth != 0) {
    return Invalid("depth ", a.depth, " needs integers, groups of 1 and an ",
                   "in_block that is a multiple of it");
  }
  const Shape tail = {a.in_block / a.depth, a.out_block, a.depth};
  if (weights.rank() != 7 || weights.shape[1] != data.shape[1] ||
      Shape(weights.shape.begin() + 4, weights.shape.end()) != tail) {
    return Invalid("weights are ", weights.ToString(), " but [O/ob,",
                   data.shape[1], ",KH,KW,", tail[0], ",", tail[1], ",",
                   tail[2], "] is needed");
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

}  // namespace

Result WinogradWeights(const WinogradWeightsAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
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

Result Conv2d(const Conv2dAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_RETURN_IF_ERROR(ExpectImage(inputs[0], attrs.in_block));
  const bool plain =
      attrs.in_block == 0 && attrs.out_block == 0 && attrs.winograd == 0;
  if (plain || attrs.depth != 0) {
    ASSAY_ASSIGN_OR_RETURN(const DType sum, SumType(inputs));
    if (attrs.depth != 0) return DeepConv2d(attrs, sum, inputs[0], inputs[1]);
    return PlainConv2d(attrs, sum, inputs[0], inputs[1]);
  }
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  if (attrs.winograd != 0) return WinogradConv2d(attrs, inputs[0], inputs[1]);
  return BlockedConv2d(attrs, inputs[0], inputs[1]);
}

Result Conv2dTranspose(const Conv2dTransposeAttrs& a, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
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

Result BatchNorm(const BatchNormAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 5));
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  if (!(attrs.epsilon >= 0)) {
    return Invalid("epsilon ", attrs.epsilon, " is not a positive number");
  }
  if (inputs[0].rank() < 2) {
    return Invalid("data is ", inputs[0].ToString(),
                   " and has no channel axis");
  }
  const int64_t channels = inputs[0].shape[1];
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i].shape != Shape{channels}) {
      return Invalid("operand ", i, " is ", inputs[i].ToString(),
                     " but data has ", channels, " channels");
    }
  }
  return inputs[0];
}

Result Pool2d(const Pool2dAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectImage(inputs[0], attrs.block));
  TensorType type = inputs[0];
  ASSAY_ASSIGN_OR_RETURN(
      const Pair out, WindowResult({attrs.kernel, attrs.strides, attrs.padding,
                                    attrs.dilations, attrs.ceil_mode},
                                   type.shape[2], type.shape[3]));
  for (int i = 0; i < 2; ++i) {
    const int64_t reach = attrs.dilations[i] * (attrs.kernel[i] - 1) + 1;
    if (attrs.padding[i] >= reach || attrs.padding[i + 2] >= reach) {
      return Invalid("padding ", ShapeToString(attrs.padding),
                     " is not smaller than the window ",
                     ShapeToString(attrs.kernel));
    }
  }
  type.shape[2] = out[0];
  type.shape[3] = out[1];
  return type;
}

Result GlobalPool2d(const GlobalPool2dAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(ExpectFloat32(inputs));
  ASSAY_RETURN_IF_ERROR(ExpectImage(inputs[0], attrs.block));
  TensorType type = inputs[0];
  type.shape[2] = 1;
  type.shape[3] = 1;
  return type;
}

Result Dense(Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_ASSIGN_OR_RETURN(const DType sum, MatrixSumType(inputs));
  if (inputs[0].rank() != 2 || inputs[1].rank() != 2 ||
      inputs[0].shape[1] != inputs[1].shape[1]) {
    return Invalid("operands are ", inputs[0].ToString(), " and ",
                   inputs[1].ToString(), " but [n,k] and [m,k] are needed");
  }
  return TensorType{sum, {inputs[0].shape[0], inputs[1].shape[0]}};
}

Result PackedDense(const PackedDenseAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_ASSIGN_OR_RETURN(const DType sum, SumType(inputs));
  const TensorType &x = inputs[0], &w = inputs[1];
  if (x.rank() != 2 || w.rank() != 3 || x.shape[1] > w.shape[1]) {
    return Invalid("operands are ", x.ToString(), " and ", w.ToString(),
                   " but [n,k] and [panels,at least k,width] are needed");
  }
  const int64_t all = w.shape[0] * w.shape[2];
  if (attrs.units > all || attrs.units <= all - w.shape[2]) {
    return Invalid("`units` is ", attrs.units, ", which does not take ",
                   w.shape[0], " panels of ", w.shape[2]);
  }
  return TensorType{sum, {x.shape[0], attrs.units}};
}

Result Matmul(Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 2));
  ASSAY_ASSIGN_OR_RETURN(const DType sum, MatrixSumType(inputs));
  const TensorType &a = inputs[0], &b = inputs[1];
  if (a.rank() < 2 || b.rank() < 2 ||
      a.shape[a.rank() - 1] != b.shape[b.rank() - 2]) {
    return Invalid("operands are ", a.ToString(), " and ", b.ToString(),
                   " but [...,m,k] and [...,k,n] are needed");
  }
  ASSAY_ASSIGN_OR_RETURN(
      Shape shape, BroadcastShapes(Shape(a.shape.begin(), a.shape.end() - 2),
                                   Shape(b.shape.begin(), b.shape.end() - 2)));
  shape.push_back(a.shape[a.rank() - 2]);
  shape.push_back(b.shape[b.rank() - 1]);
  return TensorType{sum, shape};
}

}  // namespace assay::graph::infer
