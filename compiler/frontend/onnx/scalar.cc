#include "compiler/frontend/onnx/scalar.h"

#include "compiler/frontend/onnx/naming.h"
#include "compiler/graph/reference/element.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {

absl::StatusOr<graph::Value> AddScalar(OpImport& op, float value) {
  const DType type = op.InputType(0).dtype;
  if (!type.is_float()) {
    return Unsupported("input 0 is ", op.InputType(0).ToString(),
                       "; only floats are supported");
  }
  NDArray scalar(type, {});
  graph::reference::StoreFloat(scalar, 0, value);
  return op.AddConstant(std::move(scalar));
}

absl::StatusOr<graph::Value> AddWithScalar(OpImport& op, graph::OpKind kind,
                                           graph::Value x, float value) {
  ASSAY_ASSIGN_OR_RETURN(const graph::Value scalar, AddScalar(op, value));
  return op.Add(kind, graph::NoAttrs(), {x, scalar});
}

std::optional<float> ConstantScalar(const OpImport& op, int i) {
  const NDArray* array = op.ConstantInput(i);
  if (array == nullptr || array->num_elements() != 1) return std::nullopt;
  if (array->dtype().is_float()) {
    return static_cast<float>(graph::reference::LoadFloat(*array, 0));
  }
  if (array->dtype() == DType::Int32() || array->dtype() == DType::Int64()) {
    return static_cast<float>(graph::reference::LoadInt(*array, 0));
  }
  return std::nullopt;
}

}  // namespace assay::frontend
