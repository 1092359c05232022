#include "compiler/frontend/onnx/operators/op_import.h"

#include <algorithm>
#include <utility>

#include "compiler/frontend/onnx/operators/bounded_operators.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "compiler/graph/infer/infer_types.h"
#include "compiler/graph/reference/evaluate.h"
#include "runtime/base/element.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Attrs;
using graph::ConstantAttrs;
using graph::Node;
using graph::OpKind;
using graph::TensorType;
using graph::Value;

// Operators of shape arithmetic, which cost no more than their result.
bool IsShapeArithmetic(OpKind kind) {
  switch (kind) {
    case OpKind::kReshape:
    case OpKind::kTranspose:
    case OpKind::kConcat:
    case OpKind::kGather:
    case OpKind::kAdd:
    case OpKind::kSubtract:
    case OpKind::kMultiply:
    case OpKind::kDivide:
    case OpKind::kMaximum:
    case OpKind::kMinimum:
    case OpKind::kNegate:
    case OpKind::kSlice:
    case OpKind::kCast:
    case OpKind::kEqual:
    case OpKind::kLess:
    case OpKind::kLessEqual:
    case OpKind::kBitwiseAnd:
    case OpKind::kBitwiseOr:
    case OpKind::kBitwiseNot:
    case OpKind::kFloorMod:
    case OpKind::kSelect:
    case OpKind::kBroadcastTo:
      return true;
    default:
      return false;
  }
}

const NDArray* ConstantOf(Value value) {
  if (value.node->kind() != OpKind::kConstant) return nullptr;
  return &value.node->attrs_as<ConstantAttrs>().value;
}

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
    : context_(context),
      import_body_(std::move(import_body)),
      proto_(proto),
      attributes_(proto),
      name_(std::move(name)),
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

const NDArray* OpImport::Known(Value value) const {
  if (context_.bounded_dims->IsBounded(value)) return nullptr;
  return context_.known_values->Find(value);
}

const NDArray* OpImport::KnownInput(int i) const {
  if (i >= num_inputs() || inputs_[i].node == nullptr) return nullptr;
  return Known(inputs_[i]);
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

absl::StatusOr<Value> OpImport::Add(OpKind kind, Attrs attrs,
                                    absl::Span<const Value> inputs) {
  const bool is_bounded = std::any_of(
      inputs.begin(), inputs.end(),
      [&](Value input) { return context_.bounded_dims->IsBounded(input); });
  if (is_bounded) return AddToBounded(*this, kind, attrs, inputs);
  return AddNode(kind, std::move(attrs), inputs);
}

absl::StatusOr<Value> OpImport::AddNode(
    OpKind kind, Attrs attrs, absl::Span<const Value> inputs,
    absl::Span<const graph::OperandAxis> settled) {
  std::vector<TensorType> types;
  for (const Value input : inputs) types.push_back(input.type());
  // Checked first, because AddNode's error would name the node again.
  ASSAY_ASSIGN_OR_RETURN(const std::vector<TensorType> results,
                         graph::InferTypes(kind, attrs, types));
  for (const TensorType& type : results) {
    ASSAY_RETURN_IF_ERROR(CheckSize(type, max_bytes()));
  }
  ASSAY_ASSIGN_OR_RETURN(
      Node * node,
      context_.graph->AddNode(kind, std::move(attrs), inputs, name_));
  ASSAY_RETURN_IF_ERROR(context_.bounded_dims->Derive(*node, settled));
  if (context_.bounded_dims->IsBounded({node})) return Value{node};
  std::vector<NDArray> constants;
  for (const Value input : inputs) {
    const NDArray* constant = ConstantOf(input);
    if (constant == nullptr) return AddComputed(node);
    constants.push_back(*constant);
  }
  if (!IsShapeArithmetic(kind) || results[0].num_bytes() > kMaxEvaluatedBytes) {
    context_.run_time_ints->Observe(*node);
    return Value{node};
  }
  std::vector<NDArray> values;
  if (kind == OpKind::kReshape) {
    // Weights and biases are reshaped, too, and must not depend on the
    // interpreter that later checks the model.
    values.push_back(constants[0].Reshaped(results[0].shape));
  } else {
    ASSAY_ASSIGN_OR_RETURN(values, graph::EvaluateNode(*node, constants));
  }
  context_.graph->Erase(node);
  return AddConstant(values[0]);
}

Value OpImport::AddComputed(Node* node) {
  RunTimeInts& ints = *context_.run_time_ints;
  ints.Observe(*node);
  if (node->num_outputs() != 1) return Value{node};
  const std::vector<RunTimeInt> elements = ints.Find({node});
  const bool is_known =
      !elements.empty() &&
      std::all_of(elements.begin(), elements.end(),
                  [](const RunTimeInt& x) { return x.is_number(); });
  if (!is_known) return Value{node};
  NDArray value(node->type().dtype, node->type().shape);
  for (size_t i = 0; i < elements.size(); ++i) {
    StoreInt(value, static_cast<int64_t>(i), elements[i].low);
  }
  ints.Forget(*node);
  context_.graph->Erase(node);
  return AddConstant(std::move(value));
}

Value OpImport::AddConstant(NDArray value) {
  context_.memory->Use(value.num_bytes());
  return Value{context_.graph->AddConstant(std::move(value), name_)};
}

absl::Status OpImport::UseMemory(absl::string_view what, int64_t bytes) {
  ASSAY_RETURN_IF_ERROR(context_.memory->Check(what, bytes));
  context_.memory->Use(bytes);
  return absl::OkStatus();
}

absl::Status OpImport::Warn(std::string warning) {
  ASSAY_RETURN_IF_ERROR(
      UseMemory("a warning", static_cast<int64_t>(warning.size())));
  context_.warnings->push_back(std::move(warning));
  return absl::OkStatus();
}

absl::StatusOr<Value> OpImport::AddReshape(Value x, Shape shape) {
  if (x.type().shape == shape) return x;
  return Add(OpKind::kReshape, graph::ReshapeAttrs{std::move(shape)}, {x});
}

absl::StatusOr<Value> OpImport::AddTranspose(Value x,
                                             std::vector<int64_t> perm) {
  return Add(OpKind::kTranspose, graph::TransposeAttrs{std::move(perm)}, {x});
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
