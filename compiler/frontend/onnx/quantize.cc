// Cast, QuantizeLinear and DequantizeLinear.
#include <limits>
#include <string>

#include "compiler/frontend/onnx/compose.h"
#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "compiler/frontend/onnx/scalar.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;

// The zero point, which is 0 of `absent` where it is left out.
absl::StatusOr<Value> ZeroPoint(OpImport& op, DType absent) {
  if (op.HasInput(2)) return op.Input(2);
  return op.AddConstant(NDArray(absent, op.InputType(1).shape));
}

// The axis means something only where there are several scales.
absl::StatusOr<int64_t> ReadAxis(OpImport& op) {
  if (op.opset() < 13) return 0;
  ASSAY_ASSIGN_OR_RETURN(const int64_t given, op.attributes().Int("axis", 1));
  if (op.opset() >= 21) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t block,
                           op.attributes().Int("block_size", 0));
    if (block != 0) {
      return Unsupported("attribute `block_size` is ", block,
                         "; only 0 is supported");
    }
  }
  if (op.InputType(1).num_elements() == 1) return 0;
  return NormalizeAxis(op, "attribute `axis`", given, op.InputType(0).rank());
}

absl::Status CastTo(OpImport& op, DType type) {
  if (op.opset() >= 19) {
    // Of float8 types, which are not supported.
    ASSAY_RETURN_IF_ERROR(op.attributes().Flag("saturate", true).status());
  }
  if (type == op.InputType(0).dtype) return op.SetResult(op.Input(0));
  return op.SetResult(
      op.Add(OpKind::kCast, graph::CastAttrs{type}, {op.Input(0)}));
}

}  // namespace

absl::Status ImportCast(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const auto to, op.attributes().OptionalInt("to"));
  if (!to.has_value()) return Malformed("attribute `to` is missing");
  ASSAY_ASSIGN_OR_RETURN(const DType type, ElementType(*to, "attribute `to`"));
  return CastTo(op, type);
}

absl::Status ImportCastLike(OpImport& op) {
  return CastTo(op, op.InputType(1).dtype);
}

absl::Status ImportQuantizeLinear(OpImport& op) {
  graph::QuantizeAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.axis, ReadAxis(op));
  DType absent = DType::UInt(8);
  if (op.opset() >= 19) {
    ASSAY_RETURN_IF_ERROR(op.attributes().Flag("saturate", true).status());
  }
  if (op.opset() >= 21) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t code,
                           op.attributes().Int("output_dtype", 0));
    if (code != 0) {
      ASSAY_ASSIGN_OR_RETURN(absent,
                             ElementType(code, "attribute `output_dtype`"));
    }
  }
  ASSAY_ASSIGN_OR_RETURN(const Value zero_point, ZeroPoint(op, absent));
  attrs.dtype = zero_point.type().dtype;
  return op.SetResult(
      op.Add(OpKind::kQuantize, attrs, {op.Input(0), op.Input(1), zero_point}));
}

absl::Status ImportDequantizeLinear(OpImport& op) {
  graph::QuantizeAttrs attrs;
  ASSAY_ASSIGN_OR_RETURN(attrs.axis, ReadAxis(op));
  attrs.dtype = DType::Float32();
  ASSAY_ASSIGN_OR_RETURN(const Value zero_point,
                         ZeroPoint(op, op.InputType(0).dtype));
  return op.SetResult(op.Add(OpKind::kDequantize, attrs,
                             {op.Input(0), op.Input(1), zero_point}));
}

// To uint8, with the scale that spreads the data and 0 over its range.
absl::Status ImportDynamicQuantizeLinear(OpImport& op) {
  const Value x = op.Input(0);
  graph::ReduceAttrs all;
  all.axes = AxesBetween(0, x.type().rank());
  const auto constant = [&](float value) {
    return op.AddConstant(NDArray::FromVector<float>({}, {value}));
  };
  const auto binary = [&](OpKind kind, Value a, Value b) {
    return op.Add(kind, graph::NoAttrs(), {a, b});
  };
  Value low = x, high = x;
  if (!all.axes.empty()) {
    ASSAY_ASSIGN_OR_RETURN(low, op.Add(OpKind::kReduceMin, all, {x}));
    ASSAY_ASSIGN_OR_RETURN(high, op.Add(OpKind::kReduceMax, all, {x}));
  }
  ASSAY_ASSIGN_OR_RETURN(low, binary(OpKind::kMinimum, low, constant(0)));
  ASSAY_ASSIGN_OR_RETURN(high, binary(OpKind::kMaximum, high, constant(0)));
  ASSAY_ASSIGN_OR_RETURN(Value range, binary(OpKind::kSubtract, high, low));
  ASSAY_ASSIGN_OR_RETURN(Value scale,
                         binary(OpKind::kDivide, range, constant(255)));
  // Of nothing but zeros any scale will do.
  ASSAY_ASSIGN_OR_RETURN(scale,
                         binary(OpKind::kMaximum, scale,
                                constant(std::numeric_limits<float>::min())));
  ASSAY_ASSIGN_OR_RETURN(Value zero, binary(OpKind::kDivide, low, scale));
  ASSAY_ASSIGN_OR_RETURN(zero,
                         op.Add(OpKind::kNegate, graph::NoAttrs(), {zero}));
  ASSAY_ASSIGN_OR_RETURN(
      zero, op.Add(OpKind::kClip, graph::ClipAttrs{0, 255}, {zero}));
  ASSAY_ASSIGN_OR_RETURN(zero,
                         op.Add(OpKind::kRound, graph::NoAttrs(), {zero}));
  ASSAY_ASSIGN_OR_RETURN(
      zero, op.Add(OpKind::kCast, graph::CastAttrs{DType::UInt(8)}, {zero}));
  ASSAY_ASSIGN_OR_RETURN(
      const Value y,
      op.Add(OpKind::kQuantize, graph::QuantizeAttrs{0, DType::UInt(8)},
             {x, scale, zero}));
  op.SetResults({y, scale, zero});
  return absl::OkStatus();
}

}  // namespace assay::frontend
