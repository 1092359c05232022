#include "compiler/graph/quantization/requantization.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/graph/passes/folding_builder.h"
#include "compiler/graph/passes/rewrite.h"
#include "compiler/graph/quantization/quantized_value.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

using MaybeValue = std::optional<Value>;

// Applies one quantize operator to values before its operand.
class Requantization {
 public:
  Requantization(Graph& graph, Node* quantize)
      : graph_(graph),
        add_(graph, quantize),
        attrs_(quantize->attrs_as<QuantizeAttrs>()),
        scale_(quantize->input(1)),
        zero_(quantize->input(2)) {}

  // Returns the quantized `x`, or nullopt. If `x` has no form of its own, it
  // is quantized as it is if `as_it_is` is true.
  absl::StatusOr<MaybeValue> Quantized(Value x, bool as_it_is) {
    if (x.node->kind() == OpKind::kDequantize)
      return OfDequantized(x, as_it_is);
    if (const NDArray* constant = ConstantOf(x); constant != nullptr) {
      return Plain(x);
    }
    if (HasOneUse(graph_, x.node)) {
      ASSAY_ASSIGN_OR_RETURN(const MaybeValue moved, OfMoved(x.node));
      if (moved.has_value()) return moved;
    }
    if (!as_it_is) return std::nullopt;
    return Plain(x);
  }

 private:
  bool per_tensor() const {
    return scale_.type().num_elements() == 1 &&
           zero_.type().num_elements() == 1;
  }

  absl::StatusOr<MaybeValue> Plain(Value x) {
    ASSAY_ASSIGN_OR_RETURN(
        const Value q, add_.Add(OpKind::kQuantize, attrs_, {x, scale_, zero_}));
    return q;
  }

  absl::StatusOr<MaybeValue> OfDequantized(Value x, bool as_it_is) {
    const Node* node = x.node;
    const Value q = node->input(0), scale = node->input(1);
    if (q.type().dtype == attrs_.dtype && SameParameter(scale, scale_) &&
        SameParameter(node->input(2), zero_) && per_tensor()) {
      return q;
    }
    if (q.type().dtype != DType::Int32() || IntSplatOf(node->input(2)) != 0 ||
        !per_tensor()) {
      return as_it_is ? Plain(x) : absl::StatusOr<MaybeValue>(std::nullopt);
    }
    ASSAY_ASSIGN_OR_RETURN(const Value divisor, add_.Reshape(scale_, {}));
    ASSAY_ASSIGN_OR_RETURN(
        const Value quotient,
        add_.Add(OpKind::kDivide, NoAttrs(), {scale, divisor}));
    ASSAY_ASSIGN_OR_RETURN(const Value zero, add_.Reshape(zero_, {}));
    const int64_t axis = node->attrs_as<QuantizeAttrs>().axis;
    if (quotient.type().num_elements() > 1) {
      return RequantizedPerChannel(q, quotient, axis, zero);
    }
    QuantizeAttrs attrs = attrs_;
    attrs.axis = 0;
    ASSAY_ASSIGN_OR_RETURN(
        const Value result,
        add_.Add(OpKind::kRequantize, attrs, {q, quotient, zero}));
    return result;
  }

  // requantize with several scales, as a product that may have any layout.
  absl::StatusOr<MaybeValue> RequantizedPerChannel(Value q, Value scale,
                                                   int64_t axis, Value zero) {
    Shape shape(q.type().rank() - axis, 1);
    shape[0] = scale.type().num_elements();
    ASSAY_ASSIGN_OR_RETURN(scale, add_.Reshape(scale, shape));
    ASSAY_ASSIGN_OR_RETURN(const Value x, add_.Cast(q, DType::Float32()));
    ASSAY_ASSIGN_OR_RETURN(const Value product,
                           add_.Add(OpKind::kMultiply, NoAttrs(), {x, scale}));
    const Value one = add_.Constant(NDArray::FromVector<float>({}, {1}));
    ASSAY_ASSIGN_OR_RETURN(
        const Value result,
        add_.Add(OpKind::kQuantize, attrs_, {product, one, zero}));
    return result;
  }

  // The quantized result of `node`, which moves or clamps its operands.
  absl::StatusOr<MaybeValue> OfMoved(const Node* node) {
    if (!per_tensor()) return std::nullopt;
    switch (node->kind()) {
      case OpKind::kRelu:
        return Clamped(node->input(0), 0,
                       std::numeric_limits<float>::infinity());
      case OpKind::kClip:
        return Clamped(node->input(0), node->attrs_as<ClipAttrs>().min,
                       node->attrs_as<ClipAttrs>().max);
      case OpKind::kMaxPool2d:
        // A larger tensor is quantized only if that costs nothing.
        return Applied(node, node->attrs(), false);
      case OpKind::kReshape:
      case OpKind::kTranspose:
      case OpKind::kConcat:
        return Applied(node, node->attrs(), true);
      case OpKind::kSlice:
      case OpKind::kBroadcastTo:
        return Applied(node, node->attrs(), false);
      case OpKind::kPad: {
        PadAttrs attrs = node->attrs_as<PadAttrs>();
        const auto value = QuantizedLimit(attrs.value);
        if (!value.has_value()) return std::nullopt;
        attrs.value = static_cast<float>(*value);
        return Applied(node, attrs, true);
      }
      default:
        return std::nullopt;
    }
  }

  // The operator of `node` on quantized operands. For operands that have no
  // form of their own, `as_it_is` is as above, but if there is no other
  // operand, nothing is gained.
  absl::StatusOr<MaybeValue> Applied(const Node* node, const Attrs& attrs,
                                     bool as_it_is) {
    std::vector<Value> operands;
    for (const Value operand : node->inputs()) {
      ASSAY_ASSIGN_OR_RETURN(
          const MaybeValue q,
          Quantized(operand, as_it_is && node->num_inputs() > 1));
      if (!q.has_value()) return std::nullopt;
      operands.push_back(*q);
    }
    ASSAY_ASSIGN_OR_RETURN(const Value result,
                           add_.Add(node->kind(), attrs, operands));
    return result;
  }

  // The value that a float constant has after quantization.
  std::optional<int64_t> QuantizedLimit(float x) const {
    const NDArray* scale = ConstantOf(scale_);
    const std::optional<int64_t> zero = IntSplatOf(zero_);
    if (scale == nullptr || !zero.has_value()) return std::nullopt;
    const float steps = x / scale->data<float>()[0];
    if (std::isnan(steps)) return std::nullopt;
    const double shifted =
        std::nearbyint(static_cast<double>(steps)) + static_cast<double>(*zero);
    const double low = attrs_.dtype.is_int() ? -128 : 0;
    return static_cast<int64_t>(std::clamp(shifted, low, low + 255));
  }

  absl::StatusOr<MaybeValue> Clamped(Value x, float min, float max) {
    const auto low = QuantizedLimit(min), high = QuantizedLimit(max);
    if (!low.has_value() || !high.has_value() || min > max) {
      return std::nullopt;
    }
    ASSAY_ASSIGN_OR_RETURN(const MaybeValue q, Quantized(x, false));
    if (!q.has_value()) return std::nullopt;
    const DType dtype = attrs_.dtype;
    const int64_t least = dtype.is_int() ? -128 : 0;
    Value result = *q;
    if (*low > least) {
      ASSAY_ASSIGN_OR_RETURN(result,
                             add_.Add(OpKind::kMaximum, NoAttrs(),
                                      {result, add_.IntScalar(dtype, *low)}));
    }
    if (*high < least + 255) {
      ASSAY_ASSIGN_OR_RETURN(result,
                             add_.Add(OpKind::kMinimum, NoAttrs(),
                                      {result, add_.IntScalar(dtype, *high)}));
    }
    return result;
  }

  Graph& graph_;
  FoldingBuilder add_;
  const QuantizeAttrs attrs_;
  const Value scale_;
  const Value zero_;
};

}  // namespace

absl::StatusOr<bool> RewriteQuantize(Graph& graph, Node* node) {
  if (node->kind() != OpKind::kQuantize) return false;
  ASSAY_ASSIGN_OR_RETURN(
      const MaybeValue q,
      Requantization(graph, node).Quantized(node->input(0), false));
  if (!q.has_value() || !CanReplace(graph, node, *q)) return false;
  Replace(graph, node, *q);
  return true;
}

}  // namespace assay::graph
