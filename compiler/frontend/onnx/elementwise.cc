// Arithmetic. Since opset 7 the binary operators broadcast as Numpy does,
// which is what the graph IR does.
#include <limits>
#include <optional>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::NoAttrs;
using graph::OpKind;
using graph::Value;

// op(op(x0, x1), x2) …; one operand is the result.
absl::StatusOr<Value> Chain(OpImport& op, OpKind kind) {
  Value y = op.Input(0);
  for (int i = 1; i < op.num_inputs(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(y, op.Add(kind, NoAttrs(), {y, op.Input(i)}));
  }
  return y;
}

// The bound in operand `i` of Clip: a scalar of the data's type.
absl::StatusOr<Value> Bound(OpImport& op, int i) {
  if (op.InputType(i).num_elements() != 1) {
    return Malformed("input ", i, " is ", op.InputType(i).ToString(),
                     " but a scalar is needed");
  }
  return op.AddReshape(op.Input(i), {});
}

// What a power of `base` is computed in, where the exponent may be of another
// type.
DType PowerType(DType base, DType exponent) {
  if (base == exponent) return base;
  const bool wide = base.bits() == 64 || exponent == DType::Float64();
  if (base.is_float()) return wide ? DType::Float64() : DType::Float32();
  return exponent.is_float() ? DType::Float64() : DType::Int64();
}

}  // namespace

absl::Status ImportSum(OpImport& op) {
  return op.SetResult(Chain(op, OpKind::kAdd));
}

absl::Status ImportMax(OpImport& op) {
  return op.SetResult(Chain(op, OpKind::kMaximum));
}

absl::Status ImportMin(OpImport& op) {
  return op.SetResult(Chain(op, OpKind::kMinimum));
}

absl::Status ImportMean(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value sum, Chain(op, OpKind::kAdd));
  ASSAY_ASSIGN_OR_RETURN(const Value count, AddScalar(op, op.num_inputs()));
  return op.SetResult(op.Add(OpKind::kDivide, NoAttrs(), {sum, count}));
}

absl::Status ImportPow(OpImport& op) {
  const Value x = op.Input(0);
  const DType type = x.type().dtype;
  const std::optional<float> exponent = ConstantScalar(op, 1);
  if (exponent == 1.0f) return op.SetResult(x);
  if (exponent == 2.0f || exponent == 3.0f) {
    ASSAY_ASSIGN_OR_RETURN(Value y,
                           op.Add(OpKind::kMultiply, NoAttrs(), {x, x}));
    if (exponent == 3.0f) {
      ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kMultiply, NoAttrs(), {y, x}));
    }
    return op.SetResult(y);
  }
  if (type.is_float() && exponent == 0.5f) {
    return op.SetResult(op.Add(OpKind::kSqrt, NoAttrs(), {x}));
  }
  if (type.is_float() && exponent == -1.0f) {
    return op.SetResult(op.Add(OpKind::kReciprocal, NoAttrs(), {x}));
  }
  const DType common = PowerType(type, op.InputType(1).dtype);
  ASSAY_ASSIGN_OR_RETURN(const Value base, ConvertedTo(op, x, common));
  ASSAY_ASSIGN_OR_RETURN(const Value power,
                         ConvertedTo(op, op.Input(1), common));
  ASSAY_ASSIGN_OR_RETURN(const Value y,
                         op.Add(OpKind::kPower, NoAttrs(), {base, power}));
  return op.SetResult(ConvertedTo(op, y, type));
}

absl::Status ImportPRelu(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value y,
                         op.Add(OpKind::kPrelu, NoAttrs(), op.inputs()));
  if (y.type() != op.InputType(0)) {
    return Malformed("the slope is ", op.InputType(1).ToString(),
                     ", which does not broadcast to the data ",
                     op.InputType(0).ToString());
  }
  return op.SetResult(y);
}

absl::Status ImportClipAttributes(OpImport& op) {
  graph::ClipAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(
      attrs.min,
      op.attributes().Float("min", std::numeric_limits<float>::lowest()));
  ASSAY_ASSIGN_OR_RETURN(
      attrs.max,
      op.attributes().Float("max", std::numeric_limits<float>::max()));
  return op.SetResult(op.Add(OpKind::kClip, attrs, {op.Input(0)}));
}

absl::Status ImportClipInputs(OpImport& op) {
  // The attributes of clip are float32.
  const DType type = op.InputType(0).dtype;
  const bool fits = type.is_float() && type.bits() <= 32;
  const bool has_min = op.HasInput(1), has_max = op.HasInput(2);
  const std::optional<float> min = ConstantScalar(op, 1);
  const std::optional<float> max = ConstantScalar(op, 2);
  if (fits && has_min == min.has_value() && has_max == max.has_value()) {
    graph::ClipAttrs attrs;
    attrs.min = min.value_or(attrs.min);
    attrs.max = max.value_or(attrs.max);
    return op.SetResult(op.Add(OpKind::kClip, attrs, {op.Input(0)}));
  }
  Value y = op.Input(0);
  if (has_min) {
    ASSAY_ASSIGN_OR_RETURN(const Value bound, Bound(op, 1));
    ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kMaximum, NoAttrs(), {y, bound}));
  }
  if (has_max) {
    ASSAY_ASSIGN_OR_RETURN(const Value bound, Bound(op, 2));
    ASSAY_ASSIGN_OR_RETURN(y, op.Add(OpKind::kMinimum, NoAttrs(), {y, bound}));
  }
  return op.SetResult(y);
}

}  // namespace assay::frontend
