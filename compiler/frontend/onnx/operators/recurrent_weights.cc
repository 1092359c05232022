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

// The matrix [k, rows] of one direction of `stored` as int8 [rows, k], with the
// rows in panels. It is a constant at once, as fake_quantization_to_integer
// needs it.
absl::StatusOr<Value> AddSignedBytes(OpImport& op, const NDArray& stored,
                                     int64_t direction,
                                     const RowPanels& layout) {
  const int64_t k = stored.shape()[1], rows = stored.shape()[2];
  const int64_t padded = layout.panels * layout.gates * layout.units;
  const TensorType type = {DType::Int(8), {padded, k}};
  ASSAY_RETURN_IF_ERROR(CheckSize(type, op.max_bytes()));
  const int64_t excess = Excess(stored.dtype());
  NDArray bytes(type.dtype, type.shape);
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t gate = row / layout.hidden, unit = row % layout.hidden;
    const int64_t panel = unit / layout.units * layout.gates + gate;
    const int64_t to = panel * layout.units + unit % layout.units;
    for (int64_t i = 0; i < k; ++i) {
      const int64_t from = (direction * k + i) * rows + row;
      StoreInt(bytes, to * k + i, LoadInt(stored, from) - excess);
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

// Scales, zero points and shifts have one element or one for each row.
Value RowsInPanels(Compose& c, Value x, const RowPanels& layout) {
  if (!c.status().ok() || x.node == nullptr) return x;
  return x.type().num_elements() == 1 ? x : InPanels(c, x, layout);
}

// The same, repeated if it has one element.
Value ForEachRow(Compose& c, Value x, const RowPanels& layout) {
  x = RowsInPanels(c, x, layout);
  const Shape rows = {layout.panels * layout.gates * layout.units};
  return c.Node(OpKind::kBroadcastTo, graph::ReshapeAttrs{rows}, {x});
}

// Packs four neighbours of each row of int32 [rows, k], which are int8 values,
// into one int32. The first is in the lowest bits.
Value PackedWords(Compose& c, Value bytes) {
  constexpr int64_t kBytes = 4;
  if (!c.status().ok()) return bytes;
  const int64_t rows = bytes.type().shape[0], k = bytes.type().shape[1];
  const int64_t words = (k + kBytes - 1) / kBytes;
  bytes = c.Pad(bytes, {0, 0}, {0, words * kBytes - k});
  bytes = c.Reshape(bytes, {rows, words, kBytes});
  const auto number = [&](int64_t value) {
    return c.Scalar(DType::Int32(), static_cast<double>(value));
  };
  Value packed;
  for (int64_t i = 0; i < kBytes; ++i) {
    Value byte = c.Reshape(c.Slice(bytes, 2, i, 1), {rows, words});
    // The sign of the last byte is that of the word.
    if (i + 1 < kBytes) {
      byte = c.Binary(OpKind::kBitwiseAnd, byte, number(0xff));
    }
    byte = c.Multiply(byte, number(int64_t{1} << (8 * i)));
    packed = i == 0 ? byte : c.Add(packed, byte);
  }
  return packed;
}

// The scale and the zero point may vary along the rows.
Value Dequantized(Compose& c, Value rows, Value scale, Value zero) {
  graph::QuantizeAttrs attrs;
  attrs.axis = 0;
  attrs.dtype = DType::Float32();
  return c.Node(OpKind::kDequantize, attrs, {rows, scale, zero});
}

}  // namespace

RowPanels PanelsFor(int64_t gates, int64_t hidden) {
  // A panel of float32 has one cache line for each gate and row.
  constexpr int64_t kUnits = 16;
  return {gates, hidden, (hidden + kUnits - 1) / kUnits, kUnits};
}

Value InPanels(Compose& c, Value x, const RowPanels& layout) {
  if (!c.status().ok()) return x;
  const Shape& given = x.type().shape;
  const Shape row(given.begin() + 1, given.end());
  const auto shape = [&](Shape first) {
    first.insert(first.end(), row.begin(), row.end());
    return first;
  };
  const int64_t padded = layout.panels * layout.units;
  const size_t rank = row.size();
  Compose::Ints after(rank + 2, 0), perm = {1, 0, 2};
  after[1] = padded - layout.hidden;
  for (size_t d = 0; d < rank; ++d) {
    perm.push_back(static_cast<int64_t>(d) + 3);
  }
  x = c.Reshape(x, shape({layout.gates, layout.hidden}));
  x = c.Pad(x, Compose::Ints(rank + 2, 0), after);
  x = c.Reshape(x, shape({layout.gates, layout.panels, layout.units}));
  x = c.Transpose(x, perm);
  return c.Reshape(x, shape({layout.gates * padded}));
}

Value Zeros(Compose& c, OpImport& op, const TensorType& type) {
  const absl::Status size = CheckSize(type, op.max_bytes());
  if (!size.ok()) return c.Take(size);
  return c.Take(op.AddConstant(NDArray(type.dtype, type.shape)));
}

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
                                  int64_t direction, const RowPanels& layout) {
  const Value given = OfDirection(c, op.Input(scale), direction);
  const Value factor = RowsInPanels(c, given, layout);
  if (!c.status().ok()) return {};
  RecurrentWeights weights;
  const NDArray* stored = op.KnownInput(w);
  const NDArray* zeros = op.KnownInput(scale + 1);
  if (stored == nullptr || zeros == nullptr) {
    const Value rows =
        c.Transpose(OfDirection(c, op.Input(w), direction), {1, 0});
    const Value zero = OfDirection(c, op.Input(scale + 1), direction);
    weights.matrix = Dequantized(c, InPanels(c, rows, layout), factor,
                                 RowsInPanels(c, zero, layout));
    return weights;
  }
  const Value rows = c.Take(AddSignedBytes(op, *stored, direction, layout));
  const Value zero = op.AddConstant(NDArray(DType::Int(8), {}));
  weights.matrix = Dequantized(c, rows, factor, zero);
  weights.shift = RowsInPanels(
      c, Shift(c, op, stored->dtype(), *zeros, given, direction), layout);
  return weights;
}

WeightWords QuantizedWords(Compose& c, const OpImport& op, int w, int scale,
                           int64_t direction, const RowPanels& layout) {
  const auto excess = static_cast<double>(Excess(op.InputType(w).dtype));
  const Value rows =
      c.Cast(c.Transpose(OfDirection(c, op.Input(w), direction), {1, 0}),
             DType::Int32());
  const Value bytes =
      InPanels(c, c.Subtract(rows, c.Scalar(DType::Int32(), excess)), layout);
  const Value factor = OfDirection(c, op.Input(scale), direction);
  const Value zero =
      c.Cast(OfDirection(c, op.Input(scale + 1), direction), DType::Float32());
  const Value shift =
      c.Multiply(c.Subtract(c.Scalar(DType::Float32(), excess), zero), factor);
  WeightWords weights;
  weights.words = PackedWords(c, bytes);
  weights.scale = ForEachRow(c, factor, layout);
  weights.shift = ForEachRow(c, shift, layout);
  return weights;
}

Value RecurrentProduct(Compose& c, Value data,
                       const RecurrentWeights& weights) {
  const Value product = c.Binary(OpKind::kDense, data, weights.matrix);
  if (weights.shift.node == nullptr) return product;
  return c.Add(product, c.Multiply(c.Sum(data, {1}), weights.shift));
}

}  // namespace assay::frontend
