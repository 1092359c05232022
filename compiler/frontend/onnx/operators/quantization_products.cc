// MatMulInteger, ConvInteger, QLinearMatMul and QLinearConv become float
// operators between `dequantize` and `quantize`, the form of files with
// QuantizeLinear and DequantizeLinear. The import ends with
// fake_quantization_to_integer, which turns all of them into integer
// operators; MatMulInteger and ConvInteger have the scale 1 and end in a cast
// to int32.
#include <algorithm>
#include <string>

#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/products.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::TensorType;
using graph::Value;

bool IsByte(DType type) {
  return type == DType::Int(8) || type == DType::UInt(8);
}

absl::StatusOr<Value> Dequantized(OpImport& op, Value x, Value scale,
                                  Value zero, int64_t axis) {
  graph::QuantizeAttrs attrs;
  attrs.axis = axis;
  attrs.dtype = DType::Float32();
  return op.Add(OpKind::kDequantize, attrs, {x, scale, zero});
}

// Operand `i`, dequantized with scale `scale` and the zero point in operand
// `zero`, if present. Several scales or zero points vary along `axis`.
absl::StatusOr<Value> Operand(OpImport& op, int i, Value scale, int zero,
                              int64_t axis) {
  const Value x = op.Input(i);
  const DType dtype = x.type().dtype;
  if (!IsByte(dtype)) {
    return Unsupported("input ", i, " is ", x.type().ToString(),
                       "; only int8 and uint8 are supported");
  }
  if (!op.HasInput(zero)) {
    return Dequantized(op, x, scale, op.AddConstant(NDArray(dtype, {})), axis);
  }
  const Value z = op.Input(zero);
  if (z.type().dtype != dtype) {
    return Malformed("the zero point of input ", i, " is ", z.type().ToString(),
                     ", not ", dtype.ToString());
  }
  return Dequantized(op, x, scale, z, axis);
}

Value One(OpImport& op) {
  return op.AddConstant(NDArray::FromVector<float>({}, {1}));
}

// A scale with one element, or with one for each index of an axis of the
// result.
absl::Status CheckScale(OpImport& op, int i, bool several) {
  const TensorType& type = op.InputType(i);
  if (type.num_elements() == 1 || (several && type.rank() == 1)) {
    return absl::OkStatus();
  }
  return Unsupported("the scale that is input ", i, " is ", type.ToString(),
                     "; ", several ? "one axis at most" : "one element",
                     " is supported");
}

absl::Status CheckScales(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(CheckScale(op, 1, false));
  ASSAY_RETURN_IF_ERROR(CheckScale(op, 4, true));
  return CheckScale(op, 6, false);
}

// Quantizes with the scale and the zero point of the result (6 and 7).
absl::StatusOr<Value> Quantized(OpImport& op, Value x) {
  graph::QuantizeAttrs attrs;
  attrs.axis = 0;
  attrs.dtype = op.InputType(7).dtype;
  return op.Add(OpKind::kQuantize, attrs, {x, op.Input(6), op.Input(7)});
}

absl::StatusOr<Value> Int32(OpImport& op, absl::StatusOr<Value> sum) {
  ASSAY_RETURN_IF_ERROR(sum.status());
  return op.Add(OpKind::kCast, graph::CastAttrs{DType::Int32()}, {*sum});
}

// The zero points of rows and columns vary along the axes that are not reduced.
int64_t RowAxis(OpImport& op, int i) {
  return std::max<int64_t>(op.InputType(i).rank() - 2, 0);
}
int64_t ColumnAxis(OpImport& op, int i) {
  return std::max<int64_t>(op.InputType(i).rank() - 1, 0);
}

absl::Status ImportMatMulInteger(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value a,
                         Operand(op, 0, One(op), 2, RowAxis(op, 0)));
  ASSAY_ASSIGN_OR_RETURN(const Value b,
                         Operand(op, 1, One(op), 3, ColumnAxis(op, 1)));
  return op.SetResult(Int32(op, AddMatMul(op, a, b)));
}

absl::Status ImportConvInteger(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value data, Operand(op, 0, One(op), 2, 0));
  ASSAY_ASSIGN_OR_RETURN(const Value weights, Operand(op, 1, One(op), 3, 0));
  return op.SetResult(Int32(op, AddConv(op, data, weights)));
}

absl::Status ImportQLinearMatMul(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(CheckScales(op));
  ASSAY_ASSIGN_OR_RETURN(const Value a,
                         Operand(op, 0, op.Input(1), 2, RowAxis(op, 0)));
  ASSAY_ASSIGN_OR_RETURN(const Value b,
                         Operand(op, 3, op.Input(4), 5, ColumnAxis(op, 3)));
  ASSAY_ASSIGN_OR_RETURN(const Value product, AddMatMul(op, a, b));
  return op.SetResult(Quantized(op, product));
}

// The scale of the bias is the product of the scales of data and weights.
absl::StatusOr<Value> Bias(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(
      const Value scale,
      op.Add(OpKind::kMultiply, graph::NoAttrs(), {op.Input(1), op.Input(4)}));
  return Dequantized(op, op.Input(8), scale,
                     op.AddConstant(NDArray(DType::Int32(), {})), 0);
}

absl::Status ImportQLinearConv(OpImport& op) {
  ASSAY_RETURN_IF_ERROR(CheckScales(op));
  ASSAY_ASSIGN_OR_RETURN(const Value data, Operand(op, 0, op.Input(1), 2, 0));
  ASSAY_ASSIGN_OR_RETURN(const Value weights,
                         Operand(op, 3, op.Input(4), 5, 0));
  ASSAY_ASSIGN_OR_RETURN(Value sum, AddConv(op, data, weights));
  if (op.HasInput(8)) {
    ASSAY_ASSIGN_OR_RETURN(const Value bias, Bias(op));
    ASSAY_ASSIGN_OR_RETURN(sum, AddChannelBias(op, sum, bias));
  }
  return op.SetResult(Quantized(op, sum));
}

constexpr OperatorRow kOperators[] = {
    {"ConvInteger", 10, 10, 2, 4, 1, ImportConvInteger},
    {"MatMulInteger", 10, 10, 2, 4, 1, ImportMatMulInteger},
    {"QLinearConv", 10, 10, 8, 9, 1, ImportQLinearConv},
    {"QLinearMatMul", 10, 21, 8, 8, 1, ImportQLinearMatMul},
};

}  // namespace

absl::Span<const OperatorRow> QuantizationProductsOperators() {
  return kOperators;
}

}  // namespace assay::frontend
