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

// What is subtracted from stored weights to make them int8.
int64_t Excess(DType stored) { return stored.is_uint() ? 128 : 0; }

// The matrix [k, rows] of one direction of `stored` as int8 [rows, k].
absl::StatusOr<Value> AddSignedBytes(OpImport& op, const NDArray& stored,
                                     int64_t direction) {
  const int64_t k = stored.shape()[1], rows = stored.shape()[2];
  const TensorType type = {DType::Int(8), {rows, k}};
  ASSAY_RETURN_IF_ERROR(CheckSize(type, op.max_bytes()));
  const int64_t excess = Excess(stored.dtype());
  NDArray bytes(type.dtype, type.shape);
  for (int64_t i = 0; i < k; ++i) {
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t place = (direction * k + i) * rows + row;
      StoreInt(bytes, row * k + i, LoadInt(stored, place) - excess);
    }
  }
  return op.AddConstant(std::move(bytes));
}

// The shift of weights of type `stored` with the zero points `zeros` of all
// directions; null if it is 0. `scale` is the scale of the direction.
Value Shift(Compose& c, OpImport& op, DType stored, const NDArray& zeros,
            Value scale, int64_t direction) {
  if (!c.status().ok()) return Value();
  NDArray steps(DType::Float32(), scale.type().shape);
  const int64_t n = steps.num_elements();
  bool is_zero = true;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t step = Excess(stored) - LoadInt(zeros, direction * n + i);
    StoreFloat(steps, i, static_cast<double>(step));
    is_zero = is_zero && step == 0;
  }
  if (is_zero) return Value();
  return c.Multiply(op.AddConstant(std::move(steps)), scale);
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

RecurrentWeights QuantizedWeights(Compose& c, OpImport& op, int w, int scale,
                                  int64_t direction) {
  const Value factor = OfDirection(c, op.Input(scale), direction);
  if (!c.status().ok()) return {};
  RecurrentWeights weights;
  const NDArray* stored = op.KnownInput(w);
  const NDArray* zeros = op.KnownInput(scale + 1);
  if (stored == nullptr || zeros == nullptr) {
    const Value rows =
        c.Transpose(OfDirection(c, op.Input(w), direction), {1, 0});
    const Value zero = OfDirection(c, op.Input(scale + 1), direction);
    weights.matrix = Dequantized(c, rows, factor, zero);
    return weights;
  }
  const Value rows = c.Take(AddSignedBytes(op, *stored, direction));
  const Value zero = op.AddConstant(NDArray(DType::Int(8), {}));
  weights.matrix = Dequantized(c, rows, factor, zero);
  weights.shift = Shift(c, op, stored->dtype(), *zeros, factor, direction);
  return weights;
}

Value RecurrentProduct(Compose& c, Value data,
                       const RecurrentWeights& weights) {
  const Value product = c.Binary(OpKind::kDense, data, weights.matrix);
  if (weights.shift.node == nullptr) return product;
  return c.Add(product, c.Multiply(c.Sum(data, {1}), weights.shift));
}

}  // namespace assay::frontend
