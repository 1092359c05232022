// MatMulInteger, ConvInteger, QLinearMatMul and QLinearConv become products of
// narrow integers on operands without zero points.
//
// A zero point is first subtracted from its operand in int16, which can
// represent every difference of two bytes. This is exact, and padding is zero
// as in the graph. An operand without a zero point, or with the constant 0,
// keeps its type.
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/products.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::CastAttrs;
using graph::NoAttrs;
using graph::OpKind;
using graph::TensorType;
using graph::Value;

bool IsByte(DType type) {
  return type == DType::Int(8) || type == DType::UInt(8);
}

bool AllZero(const NDArray& value) {
  const auto* bytes = static_cast<const char*>(value.raw());
  for (size_t i = 0; i < value.num_bytes(); ++i) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

// Operand `i` minus the zero point in operand `zero`, if present. A zero point
// of several elements varies along `axis`, counted from the back.
absl::StatusOr<Value> Centered(OpImport& op, int i, int zero, int axis) {
  const Value x = op.Input(i);
  if (!IsByte(x.type().dtype)) {
    return Unsupported("input ", i, " is ", x.type().ToString(),
                       "; only int8 and uint8 are supported");
  }
  if (!op.HasInput(zero)) return x;
  Value z = op.Input(zero);
  if (z.type().dtype != x.type().dtype) {
    return Malformed("the zero point of input ", i, " is ", z.type().ToString(),
                     ", not ", x.type().dtype.ToString());
  }
  const NDArray* known = op.KnownInput(zero);
  if (known != nullptr && AllZero(*known)) return x;
  if (z.type().rank() == 1) {
    Shape shape = {z.type().shape[0]};
    if (shape[0] > 1) shape.resize(axis, 1);
    ASSAY_ASSIGN_OR_RETURN(z, op.AddReshape(z, shape));
  }
  const auto cast = [&](Value value, DType type) {
    return op.Add(OpKind::kCast, CastAttrs{type}, {value});
  };
  ASSAY_ASSIGN_OR_RETURN(const Value wide, cast(x, DType::Int32()));
  ASSAY_ASSIGN_OR_RETURN(z, cast(z, DType::Int32()));
  ASSAY_ASSIGN_OR_RETURN(const Value difference,
                         op.Add(OpKind::kSubtract, NoAttrs(), {wide, z}));
  return cast(difference, DType::Int(16));
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

// Rescales `sum` by the scales of the operands (1 and 4) divided by that of the
// result (6), to the type of its zero point (7).
absl::StatusOr<Value> Requantized(OpImport& op, Value sum, int64_t axis) {
  ASSAY_RETURN_IF_ERROR(CheckScale(op, 1, false));
  ASSAY_RETURN_IF_ERROR(CheckScale(op, 4, true));
  ASSAY_RETURN_IF_ERROR(CheckScale(op, 6, false));
  ASSAY_ASSIGN_OR_RETURN(
      const Value product,
      op.Add(OpKind::kMultiply, NoAttrs(), {op.Input(1), op.Input(4)}));
  ASSAY_ASSIGN_OR_RETURN(const Value scale, op.Add(OpKind::kDivide, NoAttrs(),
                                                   {product, op.Input(6)}));
  graph::QuantizeAttrs attrs;
  attrs.axis = axis;
  attrs.dtype = op.InputType(7).dtype;
  return op.Add(OpKind::kRequantize, attrs, {sum, scale, op.Input(7)});
}

absl::Status ImportMatMulInteger(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value a, Centered(op, 0, 2, 2));
  ASSAY_ASSIGN_OR_RETURN(const Value b, Centered(op, 1, 3, 1));
  return op.SetResult(AddMatMul(op, a, b));
}

absl::Status ImportConvInteger(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value data, Centered(op, 0, 2, 1));
  ASSAY_ASSIGN_OR_RETURN(const Value weights, Centered(op, 1, 3, 4));
  return op.SetResult(AddConv(op, data, weights));
}

absl::Status ImportQLinearMatMul(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value a, Centered(op, 0, 2, 2));
  ASSAY_ASSIGN_OR_RETURN(const Value b, Centered(op, 3, 5, 1));
  ASSAY_ASSIGN_OR_RETURN(const Value sum, AddMatMul(op, a, b));
  return op.SetResult(Requantized(op, sum, sum.type().rank() - 1));
}

absl::Status ImportQLinearConv(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Value data, Centered(op, 0, 2, 1));
  ASSAY_ASSIGN_OR_RETURN(const Value weights, Centered(op, 3, 5, 4));
  ASSAY_ASSIGN_OR_RETURN(Value sum, AddConv(op, data, weights));
  if (op.HasInput(8)) {
    ASSAY_ASSIGN_OR_RETURN(sum, AddChannelBias(op, sum, op.Input(8)));
  }
  return op.SetResult(Requantized(op, sum, 1));
}

constexpr OperatorRow kOperators[] = {
    {"ConvInteger", 10, 21, 2, 4, 1, ImportConvInteger},
    {"MatMulInteger", 10, 21, 2, 4, 1, ImportMatMulInteger},
    {"QLinearConv", 10, 21, 8, 9, 1, ImportQLinearConv},
    {"QLinearMatMul", 10, 21, 8, 8, 1, ImportQLinearMatMul},
};

}  // namespace

absl::Span<const OperatorRow> QuantizationProductsOperators() {
  return kOperators;
}

}  // namespace assay::frontend
