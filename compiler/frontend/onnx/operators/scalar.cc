#include "compiler/frontend/onnx/operators/scalar.h"

#include <utility>

#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {

absl::StatusOr<graph::Value> AddScalar(OpImport& op, float value) {
  ASSAY_ASSIGN_OR_RETURN(NDArray scalar,
                         graph::ScalarOf(op.InputType(0).dtype, value));
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

absl::StatusOr<std::vector<RunTimeInt>> IntsOf(const OpImport& op, int i,
                                               absl::string_view what) {
  const graph::TensorType& type = op.InputType(i);
  if ((type.dtype != DType::Int64() && type.dtype != DType::Int32()) ||
      type.rank() > 1) {
    return Malformed("input ", i, " (", what, ") is ", type.ToString(),
                     " but int64 of rank 1 is needed");
  }
  std::vector<RunTimeInt> elements;
  if (const NDArray* known = op.KnownInput(i)) {
    for (int64_t k = 0; k < known->num_elements(); ++k) {
      elements.push_back(RunTimeInt::Number(LoadInt(*known, k)));
    }
    return elements;
  }
  if (!op.bounded_dims().IsBounded(op.Input(i))) {
    elements = op.run_time_ints().Find(op.Input(i));
  }
  // Some of the elements may be known, even though not all of them are.
  for (RunTimeInt& x : elements) {
    if (x.is_number()) continue;
    const NDArray* known = op.Known(x.tensor);
    if (known != nullptr) x = RunTimeInt::Number(LoadInt(*known, x.element));
  }
  if (static_cast<int64_t>(elements.size()) == type.num_elements()) {
    return elements;
  }
  return Unsupported("input ", i, " (", what, ") is ", type.ToString(),
                     " and computed when the model runs; at most ",
                     RunTimeInts::kMaxElements, " such numbers are supported");
}

absl::StatusOr<RunTimeInt> OneInteger(const OpImport& op, graph::Value value,
                                      absl::string_view what) {
  const graph::TensorType& type = value.type();
  if (type.num_elements() != 1 || type.dtype.is_float()) {
    return Malformed(what, " is ", type.ToString(),
                     " but one whole number or truth value is needed");
  }
  if (const NDArray* known = op.Known(value)) {
    return RunTimeInt::Number(LoadInt(*known, 0));
  }
  const std::vector<RunTimeInt> elements = op.run_time_ints().Find(value);
  if (elements.size() == 1) return elements[0];
  return Unsupported(what, " is ", type.ToString(),
                     " and computed when the model runs; int64, int32 and bool "
                     "are supported");
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
