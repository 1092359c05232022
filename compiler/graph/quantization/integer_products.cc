#include "compiler/graph/quantization/integer_products.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/graph/passes/filter_sums.h"
#include "compiler/graph/passes/folding_builder.h"
#include "compiler/graph/passes/rewrite.h"
#include "compiler/graph/quantization/product_bound.h"
#include "compiler/graph/quantization/quantized_value.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

const DType kInt32 = DType::Int32();

bool IsProduct(OpKind kind) {
  return kind == OpKind::kConv2d || kind == OpKind::kDense ||
         kind == OpKind::kMatmul;
}

// The axis of the weights, and that of the result, along which filters vary.
int64_t FilterAxis(const Node* node) {
  return node->kind() == OpKind::kMatmul ? node->input(1).type().rank() - 1 : 0;
}
int64_t ResultAxis(const Node* node) {
  return node->kind() == OpKind::kConv2d ? 1 : node->type().rank() - 1;
}

bool IsUnpadded(const Node* node) {
  return node->kind() != OpKind::kConv2d ||
         node->attrs_as<Conv2dAttrs>().padding == Padding{0, 0, 0, 0};
}

// `parameter`, with one element or one per index of `axis`, in a shape that is
// broadcast to a tensor of rank `rank`.
absl::StatusOr<Value> Along(FoldingBuilder& add, Value parameter, int64_t axis,
                            int64_t rank) {
  const int64_t n = parameter.type().num_elements();
  if (n == 1) return add.Reshape(parameter, {});
  Shape shape(rank - axis, 1);
  shape[0] = n;
  return add.Reshape(parameter, shape);
}

bool FitsInt8(const NDArray& x) {
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const int64_t value = LoadInt(x, i);
    if (value < -128 || value > 127) return false;
  }
  return true;
}

// q - zero. Has the type of `q` if the zero point is 0. Otherwise it is int16,
// or int8 if it is constant and fits.
absl::StatusOr<Value> Centered(FoldingBuilder& add, const QuantizedValue& x) {
  if (IntSplatOf(x.zero) == 0) return x.q;
  ASSAY_ASSIGN_OR_RETURN(const Value wide, add.Cast(x.q, kInt32));
  ASSAY_ASSIGN_OR_RETURN(Value zero,
                         Along(add, x.zero, x.axis, x.q.type().rank()));
  ASSAY_ASSIGN_OR_RETURN(zero, add.Cast(zero, kInt32));
  ASSAY_ASSIGN_OR_RETURN(const Value difference,
                         add.Add(OpKind::kSubtract, NoAttrs(), {wide, zero}));
  const NDArray* constant = ConstantOf(difference);
  const bool fits = constant != nullptr && FitsInt8(*constant);
  return add.Cast(difference, DType::Int(fits ? 8 : 16));
}

// The int32 result of `node` on x without its zero point and `weights`, which
// must be constant. `zero` is the zero point of x if it is known.
absl::StatusOr<Value> SumOfProducts(FoldingBuilder& add, const Node* node,
                                    const QuantizedValue& x,
                                    std::optional<int64_t> zero,
                                    Value weights) {
  Attrs attrs = node->attrs();
  if (node->kind() == OpKind::kConv2d && zero.has_value() &&
      !IsUnpadded(node)) {
    std::get<Conv2dAttrs>(attrs).pad_value = *zero;
  }
  ASSAY_ASSIGN_OR_RETURN(const Value sum,
                         add.Add(node->kind(), attrs, {x.q, weights}));
  if (zero == 0) return sum;
  ASSAY_ASSIGN_OR_RETURN(const Value offset,
                         FilterSums(add, node, weights, x.zero));
  return add.Add(OpKind::kSubtract, NoAttrs(), {sum, offset});
}

// The same for a matrix product with the weights `w`, some of which differ by
// more than a byte holds from `zero_w`, their zero point or that of their
// filter:
//
//   sum of x * (w - zero_w)  =  sum of x * (w - base) + (base - zero_w) *
//                               sum of x
//
// where w - base is a byte. The last sum is a product with ones.
absl::StatusOr<Value> SumOfWideProducts(FoldingBuilder& add, const Node* node,
                                        const QuantizedValue& x,
                                        std::optional<int64_t> zero,
                                        const NDArray& w,
                                        const NDArray& zero_w) {
  const int64_t base = w.dtype().is_uint() ? 128 : 0;
  NDArray bytes(DType::Int(8), w.shape());
  for (int64_t i = 0; i < w.num_elements(); ++i) {
    StoreInt(bytes, i, LoadInt(w, i) - base);
  }
  Shape shape = w.shape();
  shape[FilterAxis(node)] = 1;
  NDArray ones(DType::Int(8), shape);
  for (int64_t i = 0; i < ones.num_elements(); ++i) StoreInt(ones, i, 1);
  // Filters vary along the last axis of the result.
  const int64_t n = zero_w.num_elements();
  NDArray distances(kInt32, n == 1 ? Shape{} : Shape{n});
  for (int64_t i = 0; i < n; ++i) {
    StoreInt(distances, i, base - LoadInt(zero_w, i));
  }
  ASSAY_ASSIGN_OR_RETURN(
      const Value products,
      SumOfProducts(add, node, x, zero, add.Constant(std::move(bytes))));
  ASSAY_ASSIGN_OR_RETURN(
      Value sums,
      SumOfProducts(add, node, x, zero, add.Constant(std::move(ones))));
  ASSAY_ASSIGN_OR_RETURN(sums,
                         add.Add(OpKind::kMultiply, NoAttrs(),
                                 {sums, add.Constant(std::move(distances))}));
  return add.Add(OpKind::kAdd, NoAttrs(), {products, sums});
}

// The int32 result of `node` on the operands without zero points.
absl::StatusOr<Value> Accumulate(FoldingBuilder& add, const Node* node,
                                 const QuantizedValue& x,
                                 const QuantizedValue& w) {
  const std::optional<int64_t> zero = IntSplatOf(x.zero);
  ASSAY_ASSIGN_OR_RETURN(const Value weights, Centered(add, w));
  const bool keeps_bytes = ConstantOf(weights) != nullptr &&
                           x.zero.type().num_elements() == 1 &&
                           (zero.has_value() || IsUnpadded(node));
  if (!keeps_bytes) {
    ASSAY_ASSIGN_OR_RETURN(const Value data, Centered(add, x));
    return add.Add(node->kind(), node->attrs(), {data, weights});
  }
  const NDArray *bytes = ConstantOf(w.q), *zero_w = ConstantOf(w.zero);
  if (weights.type().dtype == DType::Int(16) && bytes != nullptr &&
      zero_w != nullptr && node->kind() != OpKind::kConv2d) {
    return SumOfWideProducts(add, node, x, zero, *bytes, *zero_w);
  }
  return SumOfProducts(add, node, x, zero, weights);
}

// Replaces `node` by `q` times `scale`, which has one element or one for each
// index of `axis`.
absl::StatusOr<bool> ReplaceByScaled(FoldingBuilder& add, Node* node, Value q,
                                     Value scale, int64_t axis) {
  QuantizeAttrs attrs;
  attrs.axis = axis;
  attrs.dtype = DType::Float32();
  ASSAY_ASSIGN_OR_RETURN(const Value value,
                         add.Add(OpKind::kDequantize, attrs,
                                 {q, scale, add.IntScalar(kInt32, 0)}));
  Replace(add.graph(), node, value);
  return true;
}

// `value` as the scaled sum of a product: int32 and without a zero point.
std::optional<QuantizedValue> ScaledSumOf(Value value) {
  const Node* node = value.node;
  if (node->kind() != OpKind::kDequantize ||
      node->input(0).type().dtype != kInt32 ||
      IntSplatOf(node->input(2)) != 0) {
    return std::nullopt;
  }
  return QuantizedValue{node->input(0), node->input(1), node->input(2),
                        node->attrs_as<QuantizeAttrs>().axis};
}

// Returns true if the scale of `x` varies along the same axis of a sum of both
// as that of `sum`. Axes are compared from the last one.
bool AlignedScales(const QuantizedValue& sum, const QuantizedValue& x) {
  return SameParameter(sum.scale, x.scale) &&
         (sum.per_tensor() ||
          sum.q.type().rank() - sum.axis == x.q.type().rank() - x.axis);
}

// The constant `bias` divided by the scale of `sum` and rounded to int32, with
// the shape of `bias`. nullopt if it is not constant or varies along another
// axis than the scale.
std::optional<NDArray> BiasInSteps(Value bias, const QuantizedValue& sum) {
  const NDArray *values = ConstantOf(bias), *scale = ConstantOf(sum.scale);
  if (values == nullptr || values->dtype() != DType::Float32() ||
      scale == nullptr) {
    return std::nullopt;
  }
  const TensorType& type = sum.q.type();
  const Shape& shape = values->shape();
  const auto rank = static_cast<int64_t>(shape.size());
  const int64_t n = values->num_elements();
  const int64_t from_end = type.rank() - sum.axis;
  const bool per_filter = rank >= from_end && rank <= type.rank() &&
                          shape[rank - from_end] == n &&
                          n == type.shape[sum.axis];
  if (!per_filter && (n != 1 || scale->num_elements() > 1)) return std::nullopt;
  NDArray steps(kInt32, shape);
  for (int64_t i = 0; i < n; ++i) {
    const float s = scale->data<float>()[scale->num_elements() == 1 ? 0 : i];
    const double quotient =
        static_cast<double>(values->data<float>()[i]) / static_cast<double>(s);
    if (!(std::abs(quotient) < std::numeric_limits<int32_t>::max())) {
      return std::nullopt;
    }
    StoreInt(steps, i, static_cast<int64_t>(std::nearbyint(quotient)));
  }
  return steps;
}

// q + bias. If both add constants, there is one constant in the result.
absl::StatusOr<Value> AddBias(FoldingBuilder& add, Value q, Value bias) {
  const Node* last = q.node;
  if (ConstantOf(bias) != nullptr && last->kind() == OpKind::kSubtract &&
      ConstantOf(last->input(1)) != nullptr) {
    ASSAY_ASSIGN_OR_RETURN(
        const Value both,
        add.Add(OpKind::kSubtract, NoAttrs(), {bias, last->input(1)}));
    return add.Add(OpKind::kAdd, NoAttrs(), {last->input(0), both});
  }
  return add.Add(OpKind::kAdd, NoAttrs(), {q, bias});
}

// The int32 value that must be added to `sum` to add `x`; nullopt if there is
// none.
absl::StatusOr<std::optional<Value>> InSteps(FoldingBuilder& add, Value x,
                                             const QuantizedValue& sum) {
  ASSAY_ASSIGN_OR_RETURN(const auto quantized, FindQuantized(add, x));
  if (!quantized.has_value()) {
    std::optional<NDArray> steps = BiasInSteps(x, sum);
    if (!steps.has_value()) return std::nullopt;
    return add.Constant(*std::move(steps));
  }
  if (quantized->q.type().dtype == kInt32 && IntSplatOf(quantized->zero) == 0 &&
      AlignedScales(sum, *quantized)) {
    return quantized->q;
  }
  // A bias with another scale is a float constant.
  const Value base = quantized->q;
  if (ConstantOf(base) == nullptr) return std::nullopt;
  QuantizeAttrs attrs;
  attrs.axis = quantized->axis;
  attrs.dtype = DType::Float32();
  ASSAY_ASSIGN_OR_RETURN(const Value bias,
                         add.Add(OpKind::kDequantize, attrs,
                                 {base, quantized->scale, quantized->zero}));
  std::optional<NDArray> steps = BiasInSteps(bias, sum);
  if (!steps.has_value()) return std::nullopt;
  return add.Constant(*std::move(steps));
}

// Returns true if all users of `node`, or of its result under another shape,
// convert it to int32.
bool EndsInIntegers(const Node* node) {
  for (const Use& use : node->users()) {
    const Node* user = use.user;
    const bool is_cast = user->kind() == OpKind::kCast &&
                         user->attrs_as<CastAttrs>().dtype == kInt32;
    if (is_cast || (user->kind() == OpKind::kReshape && EndsInIntegers(user))) {
      continue;
    }
    return false;
  }
  return !node->users().empty();
}

// Returns true if the result of the product is an int32 in the model, as that
// of MatMulInteger is: it is defined to wrap around.
bool IsIntegerResult(const Node* node, const QuantizedValue& x,
                     const QuantizedValue& w) {
  return SplatOf(x.scale) == 1.0 && SplatOf(w.scale) == 1.0 &&
         EndsInIntegers(node);
}

}  // namespace

absl::StatusOr<bool> RewriteProduct(Graph& graph, Node* node) {
  if (!IsProduct(node->kind()) || node->type().dtype != DType::Float32()) {
    return false;
  }
  FoldingBuilder add(graph, node);
  ASSAY_ASSIGN_OR_RETURN(const auto x, FindQuantized(add, node->input(0)));
  if (!x.has_value() || !x->is_byte() || x->scale.type().num_elements() != 1) {
    return false;
  }
  ASSAY_ASSIGN_OR_RETURN(const auto w, FindQuantized(add, node->input(1)));
  if (!w.has_value() || !w->is_byte() ||
      !(w->per_tensor() || w->axis == FilterAxis(node))) {
    return false;
  }
  if (MaxSumOfProducts(node, *x, *w) > std::numeric_limits<int32_t>::max() &&
      !IsIntegerResult(node, *x, *w)) {
    return false;
  }
  ASSAY_ASSIGN_OR_RETURN(const Value q, Accumulate(add, node, *x, *w));
  ASSAY_ASSIGN_OR_RETURN(const Value sx, add.Reshape(x->scale, {}));
  Value sw = w->scale;
  if (sw.type().num_elements() == 1) {
    ASSAY_ASSIGN_OR_RETURN(sw, add.Reshape(sw, {}));
  }
  ASSAY_ASSIGN_OR_RETURN(const Value scale,
                         add.Add(OpKind::kMultiply, NoAttrs(), {sx, sw}));
  return ReplaceByScaled(add, node, q, scale, ResultAxis(node));
}

absl::StatusOr<bool> RewriteSum(Graph& graph, Node* node) {
  if (node->kind() != OpKind::kAdd) return false;
  FoldingBuilder add(graph, node);
  for (const int side : {0, 1}) {
    const auto sum = ScaledSumOf(node->input(side));
    if (!sum.has_value() || sum->q.type().shape != node->type().shape) continue;
    ASSAY_ASSIGN_OR_RETURN(const std::optional<Value> steps,
                           InSteps(add, node->input(1 - side), *sum));
    if (!steps.has_value()) continue;
    ASSAY_ASSIGN_OR_RETURN(const Value q, AddBias(add, sum->q, *steps));
    return ReplaceByScaled(add, node, q, sum->scale, sum->axis);
  }
  return false;
}

namespace {

// The sum of avg_pool2d over each window: a depthwise convolution with ones.
absl::StatusOr<Value> WindowSums(FoldingBuilder& add, const Node* pool,
                                 const QuantizedValue& x, int64_t zero) {
  const auto& attrs = pool->attrs_as<Pool2dAttrs>();
  const int64_t channels = pool->type().shape[1];
  Conv2dAttrs conv;
  conv.strides = attrs.strides;
  conv.padding = attrs.padding;
  conv.dilations = attrs.dilations;
  conv.groups = channels;
  conv.pad_value = zero;
  NDArray ones(DType::Int(8), {channels, 1, attrs.kernel[0], attrs.kernel[1]});
  for (int64_t i = 0; i < ones.num_elements(); ++i) StoreInt(ones, i, 1);
  return add.Add(OpKind::kConv2d, conv, {x.q, add.Constant(std::move(ones))});
}

// Describes the windows over which `node` computes means: the number of
// elements, and for reductions the axes. nullopt if the number varies.
struct Windows {
  int64_t size = 0;
  ReduceAttrs reduction;
};

std::optional<Windows> WindowsOf(const Node* node) {
  Windows windows;
  windows.reduction.keepdims = true;
  switch (node->kind()) {
    case OpKind::kAvgPool2d: {
      const auto& attrs = node->attrs_as<Pool2dAttrs>();
      const bool padded = attrs.padding != Padding{0, 0, 0, 0};
      if (attrs.ceil_mode || (padded && !attrs.count_include_pad)) {
        return std::nullopt;
      }
      windows.size = attrs.kernel[0] * attrs.kernel[1];
      return windows;
    }
    case OpKind::kGlobalAvgPool2d:
      windows.reduction.axes = {2, 3};
      break;
    case OpKind::kReduceMean:
      windows.reduction = node->attrs_as<ReduceAttrs>();
      break;
    default:
      return std::nullopt;
  }
  windows.size = 1;
  for (const int64_t axis : windows.reduction.axes) {
    windows.size *= node->input(0).type().shape[axis];
  }
  return windows;
}

}  // namespace

absl::StatusOr<bool> RewriteMean(Graph& graph, Node* node) {
  const std::optional<Windows> windows = WindowsOf(node);
  // A sum of bytes over a larger window might not fit.
  constexpr int64_t kMaxWindow = int64_t{1} << 22;
  if (!windows.has_value() || windows->size < 1 || windows->size > kMaxWindow) {
    return false;
  }
  FoldingBuilder add(graph, node);
  ASSAY_ASSIGN_OR_RETURN(const auto x, FindQuantized(add, node->input(0)));
  if (!x.has_value() || !x->is_byte() || !x->per_tensor()) return false;
  const std::optional<int64_t> zero = IntSplatOf(x->zero);
  const NDArray* scale = ConstantOf(x->scale);
  if (!zero.has_value() || scale == nullptr) return false;
  Value q;
  if (node->kind() == OpKind::kAvgPool2d) {
    ASSAY_ASSIGN_OR_RETURN(q, WindowSums(add, node, *x, *zero));
  } else {
    ASSAY_ASSIGN_OR_RETURN(q, add.Cast(x->q, kInt32));
    ASSAY_ASSIGN_OR_RETURN(
        q, add.Add(OpKind::kReduceSum, windows->reduction, {q}));
  }
  if (*zero != 0) {
    ASSAY_ASSIGN_OR_RETURN(
        q, add.Add(OpKind::kSubtract, NoAttrs(),
                   {q, add.IntScalar(kInt32, *zero * windows->size)}));
  }
  const float quotient =
      scale->data<float>()[0] / static_cast<float>(windows->size);
  const Value per_element =
      add.Constant(NDArray::FromVector<float>({}, {quotient}));
  return ReplaceByScaled(add, node, q, per_element, 0);
}

absl::StatusOr<bool> RewriteCast(Graph& graph, Node* node) {
  if (node->kind() != OpKind::kCast ||
      node->attrs_as<CastAttrs>().dtype != kInt32) {
    return false;
  }
  const auto sum = ScaledSumOf(node->input(0));
  if (!sum.has_value() || SplatOf(sum->scale) != 1.0 ||
      !CanReplace(graph, node, sum->q)) {
    return false;
  }
  Replace(graph, node, sum->q);
  return true;
}

}  // namespace assay::graph
