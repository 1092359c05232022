#include "compiler/frontend/onnx/operators/op_import.h"

#include <algorithm>
#include <utility>

#include "compiler/frontend/onnx/operators/bounded_axes.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Value;

std::vector<Value> TensorsOf(absl::Span<const ImportValue> operands) {
  std::vector<Value> tensors;
  for (const ImportValue& operand : operands) {
    tensors.push_back(operand.is_tensor() ? operand.tensor() : Value());
  }
  return tensors;
}

}  // namespace

OpImport::OpImport(const Context& context, const onnx::NodeProto& proto,
                   std::string name, std::vector<ImportValue> operands,
                   BodyImport import_body)
    : GraphBuilder(context.state, std::move(name),
                   CombinesBoundedAxes(proto.op_type())),
      context_(context),
      import_body_(std::move(import_body)),
      proto_(proto),
      attributes_(proto),
      operands_(std::move(operands)),
      inputs_(TensorsOf(operands_)) {}

absl::StatusOr<Value> OpImport::InputTensor(int i) const {
  if (operands_[i].is_tensor()) return operands_[i].tensor();
  return Malformed("input ", i, " is ", operands_[i].KindName(),
                   " but a tensor is needed");
}

absl::StatusOr<TensorSequence> OpImport::InputSequence(int i) const {
  if (operands_[i].is_sequence()) return operands_[i].sequence();
  return Malformed("input ", i, " is ", operands_[i].KindName(),
                   " but a sequence is needed");
}

const NDArray* OpImport::KnownInput(int i) const {
  if (i >= num_inputs() || inputs_[i].node == nullptr) return nullptr;
  return Known(inputs_[i]);
}

bool OpImport::HasBoundedInput() const {
  return std::any_of(inputs_.begin(), inputs_.end(), [&](Value input) {
    return input.node != nullptr && bounded_dims().IsBounded(input);
  });
}

absl::StatusOr<std::vector<int64_t>> OpImport::KnownInts(
    int i, absl::string_view what) const {
  const NDArray* array = KnownInput(i);
  if (array == nullptr) {
    return Unsupported("input ", i, " (", what,
                       ") is computed when the model runs; only constants are "
                       "supported");
  }
  if (array->dtype() != DType::Int64() || array->shape().size() != 1) {
    return Malformed("input ", i, " (", what, ") is ", InputType(i).ToString(),
                     " but int64 of rank 1 is needed");
  }
  const auto values = array->data<int64_t>();
  return std::vector<int64_t>(values.begin(), values.end());
}

absl::Status OpImport::Warn(std::string warning) {
  ASSAY_RETURN_IF_ERROR(
      UseMemory("a warning", static_cast<int64_t>(warning.size())));
  context_.warnings->push_back(std::move(warning));
  return absl::OkStatus();
}

absl::Status OpImport::SetResult(const absl::StatusOr<Value>& result) {
  ASSAY_RETURN_IF_ERROR(result.status());
  results_.assign(1, *result);
  return absl::OkStatus();
}

absl::StatusOr<int64_t> NormalizeAxis(const OpImport& op,
                                      absl::string_view what, int64_t axis,
                                      int64_t rank) {
  if (axis >= 0 && axis < rank) return axis;
  if (axis < 0 && axis >= -rank) {
    if (op.opset() >= 11 || op.opset() <= 6) return axis + rank;
    return Malformed(what, " ", axis, " is negative, which opset ", op.opset(),
                     " does not allow");
  }
  return Malformed(what, " ", axis, " is out of range for rank ", rank);
}

absl::Status CheckUnrolled(int64_t count, absl::string_view what) {
  if (count <= kMaxUnrolled) return absl::OkStatus();
  return Unsupported("has more than ", kMaxUnrolled, " ", what,
                     ", which are unrolled");
}

}  // namespace assay::frontend
