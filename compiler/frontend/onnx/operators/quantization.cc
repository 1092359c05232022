// DequantizeLinear, DynamicQuantizeLinear and QuantizeLinear.
#include "compiler/frontend/onnx/operators/quantization.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/operators/compose.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;

// The zero point; 0 of type `absent` if it is left out.
absl::StatusOr<Value> ZeroPoint(OpImport& op, DType absent) {
  if (op.HasInput(2)) return op.Input(2);
  return op.AddConstant(NDArray(absent, op.InputType(1).shape));
}

// The axis is only relevant for several scales.
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

// Checks that the attribute `name`, a type for which 0 stands for that of the
// scale, does not ask for another type than float32.
absl::Status CheckFloat32(OpImport& op, absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t code, op.attributes().Int(name, 0));
  if (code == 0) return absl::OkStatus();
  const std::string what = absl::StrCat("attribute `", name, "`");
  ASSAY_ASSIGN_OR_RETURN(const DType type, ElementType(code, what));
  if (type == DType::Float32()) return absl::OkStatus();
  return Unsupported(what, " is ", type.ToString(),
                     "; only float32 is supported");
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
  if (op.opset() >= 23) {
    ASSAY_RETURN_IF_ERROR(CheckFloat32(op, "precision"));
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
  if (op.opset() >= 23) {
    ASSAY_RETURN_IF_ERROR(CheckFloat32(op, "output_dtype"));
  }
  ASSAY_ASSIGN_OR_RETURN(const Value zero_point,
                         ZeroPoint(op, op.InputType(0).dtype));
  return op.SetResult(op.Add(OpKind::kDequantize, attrs,
                             {op.Input(0), op.Input(1), zero_point}));
}

struct QuantizedData {
  Value q, scale, zero;
};

absl::StatusOr<QuantizedData> QuantizeDynamically(OpImport& op, Value x) {
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
  // Without a range the scale is 1, as in ONNX Runtime.
  ASSAY_ASSIGN_OR_RETURN(const Value is_empty,
                         binary(OpKind::kEqual, range, constant(0)));
  ASSAY_ASSIGN_OR_RETURN(scale, op.Add(OpKind::kSelect, graph::NoAttrs(),
                                       {is_empty, constant(1), scale}));
  // The zero point is -low in steps of the scale, rounded and saturated. It is
  // the largest one if the scale of a tiny range is 0.
  const graph::QuantizeAttrs bytes{0, DType::UInt(8)};
  ASSAY_ASSIGN_OR_RETURN(const Value below,
                         op.Add(OpKind::kNegate, graph::NoAttrs(), {low}));
  ASSAY_ASSIGN_OR_RETURN(
      Value zero,
      op.Add(OpKind::kQuantize, bytes,
             {below, scale, op.AddConstant(NDArray(DType::UInt(8), {}))}));
  ASSAY_ASSIGN_OR_RETURN(const Value is_tiny,
                         binary(OpKind::kEqual, scale, constant(0)));
  const Value largest = op.AddConstant(NDArray::FromVector<uint8_t>({}, {255}));
  ASSAY_ASSIGN_OR_RETURN(zero, op.Add(OpKind::kSelect, graph::NoAttrs(),
                                      {is_tiny, largest, zero}));
  ASSAY_ASSIGN_OR_RETURN(const Value y,
                         op.Add(OpKind::kQuantize, bytes, {x, scale, zero}));
  return QuantizedData{y, scale, zero};
}

absl::Status ImportDynamicQuantizeLinear(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const QuantizedData y,
                         QuantizeDynamically(op, op.Input(0)));
  op.SetResults({y.q, y.scale, y.zero});
  return absl::OkStatus();
}

constexpr OperatorRow kOperators[] = {
    {"DequantizeLinear", 10, 28, 2, 3, 1, ImportDequantizeLinear},
    {"DynamicQuantizeLinear", 11, 11, 1, 1, 3, ImportDynamicQuantizeLinear},
    {"QuantizeLinear", 10, 28, 2, 3, 1, ImportQuantizeLinear},
};

}  // namespace

absl::StatusOr<Value> AddDynamicQuantization(OpImport& op, Value x) {
  ASSAY_ASSIGN_OR_RETURN(const QuantizedData y, QuantizeDynamically(op, x));
  graph::QuantizeAttrs attrs;
  attrs.axis = 0;
  attrs.dtype = DType::Float32();
  return op.Add(OpKind::kDequantize, attrs, {y.q, y.scale, y.zero});
}

absl::Span<const OperatorRow> QuantizationOperators() { return kOperators; }

}  // namespace assay::frontend
