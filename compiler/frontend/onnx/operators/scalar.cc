#include "compiler/frontend/onnx/operators/scalar.h"

#include <numeric>
#include <utility>

#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {

absl::StatusOr<NDArray> ScalarOf(DType type, double value) {
  NDArray scalar(type, {});
  if (type.is_float()) {
    StoreFloat(scalar, 0, value);
    return scalar;
  }
  // Only a value within these bounds can be converted to an integer.
  constexpr double kEnd = 9223372036854775808.0;
  const int64_t whole =
      value >= -kEnd && value < kEnd ? static_cast<int64_t>(value) : 0;
  StoreInt(scalar, 0, whole);
  if (static_cast<double>(whole) != value || LoadInt(scalar, 0) != whole) {
    return Unsupported("the operator needs the number ", value,
                       ", which is no ", type.ToString());
  }
  return scalar;
}

absl::StatusOr<graph::Value> AddScalar(OpImport& op, float value) {
  ASSAY_ASSIGN_OR_RETURN(NDArray scalar,
                         ScalarOf(op.InputType(0).dtype, value));
  return op.AddConstant(std::move(scalar));
}

absl::StatusOr<graph::Value> AddWithScalar(OpImport& op, graph::OpKind kind,
                                           graph::Value x, float value) {
  ASSAY_ASSIGN_OR_RETURN(const graph::Value scalar, AddScalar(op, value));
  return op.Add(kind, graph::NoAttrs(), {x, scalar});
}

std::optional<float> KnownScalar(const OpImport& op, int i) {
  const NDArray* array = op.KnownInput(i);
  if (array == nullptr || array->num_elements() != 1) return std::nullopt;
  if (array->dtype().is_float()) {
    return static_cast<float>(LoadFloat(*array, 0));
  }
  if (array->dtype() == DType::Int32() || array->dtype() == DType::Int64()) {
    return static_cast<float>(LoadInt(*array, 0));
  }
  return std::nullopt;
}

absl::StatusOr<int64_t> KnownInteger(const OpImport& op, graph::Value value,
                                     absl::string_view what) {
  const NDArray* array = op.Known(value);
  if (array == nullptr) {
    return Unsupported(what,
                       " is computed when the model runs; only constants are "
                       "supported");
  }
  if (array->num_elements() != 1 || array->dtype().is_float()) {
    return Malformed(what, " is ", value.type().ToString(),
                     " but one whole number or truth value is needed");
  }
  return LoadInt(*array, 0);
}

absl::StatusOr<graph::Value> AddPositions(OpImport& op, int64_t count,
                                          int64_t axis, int64_t rank) {
  graph::TensorType type{DType::Int64(), Shape(rank, 1)};
  type.shape[axis] = count;
  ASSAY_RETURN_IF_ERROR(CheckSize(type, op.max_bytes()));
  NDArray numbers(type.dtype, type.shape);
  const auto data = numbers.data<int64_t>();
  std::iota(data.begin(), data.end(), 0);
  return op.AddConstant(std::move(numbers));
}

absl::StatusOr<graph::Value> ConvertedTo(OpImport& op, graph::Value x,
                                         DType type) {
  if (x.type().dtype == type) return x;
  return op.Add(graph::OpKind::kCast, graph::CastAttrs{type}, {x});
}

absl::StatusOr<graph::Value> AddIndices(OpImport& op, int i) {
  const DType type = op.InputType(i).dtype;
  if (type == DType::Int64() || type == DType::Int32()) {
    return ConvertedTo(op, op.Input(i), DType::Int64());
  }
  return Malformed("input ", i, " (indices) is ", op.InputType(i).ToString(),
                   " but int32 or int64 is needed");
}

absl::StatusOr<DType> ElementType(int64_t code, absl::string_view what) {
  if (code != static_cast<int32_t>(code)) {
    return Unsupported(what, " is ", code, ", which is no element type");
  }
  const auto type = ReadElementType(static_cast<int32_t>(code));
  if (type.ok()) return *type;
  return Unsupported(what, " is ", ElementTypeName(static_cast<int32_t>(code)),
                     ", an element type that is not supported");
}

}  // namespace assay::frontend
