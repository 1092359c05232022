#include "compiler/frontend/onnx/operators/recurrent_weights.h"

#include <utility>

#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/element.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::TensorType;
using graph::Value;

// The matrix [k, rows] of one direction of `stored` as [rows, k].
absl::StatusOr<Value> AddRows(OpImport& op, const NDArray& stored,
                              int64_t direction) {
  const int64_t k = stored.shape()[1], rows = stored.shape()[2];
  const TensorType type = {stored.dtype(), {rows, k}};
  ASSAY_RETURN_IF_ERROR(CheckSize(type, op.max_bytes()));
  NDArray transposed(type.dtype, type.shape);
  for (int64_t i = 0; i < k; ++i) {
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t place = (direction * k + i) * rows + row;
      StoreInt(transposed, row * k + i, LoadInt(stored, place));
    }
  }
  return op.AddConstant(std::move(transposed));
}

// The zero points of one direction, of shape `shape`.
Value AddZeros(OpImport& op, const NDArray& stored, const Shape& shape,
               int64_t direction) {
  NDArray zeros(stored.dtype(), shape);
  const int64_t n = zeros.num_elements();
  for (int64_t i = 0; i < n; ++i) {
    StoreInt(zeros, i, LoadInt(stored, direction * n + i));
  }
  return op.AddConstant(std::move(zeros));
}

// The scale and the zero point may vary along the rows.
Value Dequantized(Compose& c, Value rows, Value scale, Value zero) {
  graph::QuantizeAttrs attrs;
  attrs.axis = 0;
  attrs.dtype = DType::Float32();
  return c.Node(OpKind::kDequantize, attrs, {rows, scale, zero});
}

}  // namespace

Value OfDirection(Compose& c, Value x, int64_t direction) {
  if (!c.status().ok()) return x;
  const Shape shape = x.type().shape;
  return c.Reshape(c.Slice(x, 0, direction, 1),
                   Shape(shape.begin() + 1, shape.end()));
}

absl::Status CheckQuantizedWeights(const OpImport& op, int w, int scale) {
  for (const int i : {scale, scale + 1}) {
    if (op.HasInput(i)) continue;
    return Malformed("input ", i, " is left out but is required");
  }
  const TensorType &weights = op.InputType(w), &scales = op.InputType(scale),
                   &zeros = op.InputType(scale + 1);
  if (weights.dtype != DType::Int(8) && weights.dtype != DType::UInt(8)) {
    return Unsupported("input ", w, " is ", weights.ToString(),
                       "; only int8 and uint8 are supported");
  }
  if (weights.rank() != 3) {
    return Malformed("input ", w, " is ", weights.ToString(),
                     " but rank 3 is needed");
  }
  const Shape one = {weights.shape[0]};
  const Shape several = {weights.shape[0], weights.shape[2]};
  if (scales.shape != one && scales.shape != several) {
    return Malformed("input ", scale, " is ", scales.ToString(), " but ",
                     ShapeToString(one), " or ", ShapeToString(several),
                     " is needed");
  }
  if (zeros.dtype != weights.dtype || zeros.shape != scales.shape) {
    return Malformed("input ", scale + 1, " is ", zeros.ToString(),
                     " for the scale ", scales.ToString(), " of ",
                     weights.ToString());
  }
  return absl::OkStatus();
}

Value QuantizedWeights(Compose& c, OpImport& op, int w, int scale,
                       int64_t direction) {
  const Value factor = OfDirection(c, op.Input(scale), direction);
  if (!c.status().ok()) return Value();
  const NDArray* stored = op.KnownInput(w);
  const NDArray* zeros = op.KnownInput(scale + 1);
  if (stored == nullptr || zeros == nullptr) {
    const Value rows =
        c.Transpose(OfDirection(c, op.Input(w), direction), {1, 0});
    const Value zero = OfDirection(c, op.Input(scale + 1), direction);
    return Dequantized(c, rows, factor, zero);
  }
  const Value rows = c.Take(AddRows(op, *stored, direction));
  const Value zero = AddZeros(op, *zeros, factor.type().shape, direction);
  return Dequantized(c, rows, factor, zero);
}

}  // namespace assay::frontend
