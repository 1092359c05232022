#include "compiler/graph/builder/graph_builder.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/graph/builder/bounded_operators.h"
#include "compiler/graph/builder/check_size.h"
#include "compiler/graph/infer/infer_types.h"
#include "compiler/graph/reference/evaluate.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

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

}  // namespace

const NDArray* GraphBuilder::Known(Value value) const {
  if (state_.bounded_dims->IsBounded(value)) return nullptr;
  return state_.known_values->Find(value);
}

absl::StatusOr<Value> GraphBuilder::Add(OpKind kind, Attrs attrs,
                                        absl::Span<const Value> inputs) {
  const bool is_bounded = std::any_of(
      inputs.begin(), inputs.end(),
      [&](Value input) { return state_.bounded_dims->IsBounded(input); });
  if (is_bounded) return AddToBounded(*this, kind, attrs, inputs);
  return AddNode(kind, std::move(attrs), inputs);
}

absl::StatusOr<Value> GraphBuilder::AddNode(
    OpKind kind, Attrs attrs, absl::Span<const Value> inputs,
    absl::Span<const OperandAxis> settled) {
  std::vector<TensorType> types;
  for (const Value input : inputs) types.push_back(input.type());
  // Checked first, because AddNode's error would name the node again.
  ASSAY_ASSIGN_OR_RETURN(const std::vector<TensorType> results,
                         InferTypes(kind, attrs, types));
  for (const TensorType& type : results) {
    ASSAY_RETURN_IF_ERROR(CheckSize(type, max_bytes()));
  }
  ASSAY_ASSIGN_OR_RETURN(
      Node * node,
      state_.graph->AddNode(kind, std::move(attrs), inputs, name_));
  ASSAY_RETURN_IF_ERROR(state_.bounded_dims->Derive(*node, settled));
  if (state_.bounded_dims->IsBounded({node})) return Value{node};
  std::vector<NDArray> constants;
  for (const Value input : inputs) {
    const NDArray* constant = ConstantOf(input);
    if (constant == nullptr) return AddComputed(node);
    constants.push_back(*constant);
  }
  if (!IsShapeArithmetic(kind) || results[0].num_bytes() > kMaxEvaluatedBytes) {
    state_.run_time_ints->Observe(*node);
    return Value{node};
  }
  std::vector<NDArray> values;
  if (kind == OpKind::kReshape) {
    // Weights and biases are reshaped, too, and must not depend on the
    // interpreter that later checks the model.
    values.push_back(constants[0].Reshaped(results[0].shape));
  } else {
    ASSAY_ASSIGN_OR_RETURN(values, EvaluateNode(*node, constants));
  }
  state_.graph->Erase(node);
  return AddConstant(values[0]);
}

Value GraphBuilder::AddComputed(Node* node) {
  RunTimeInts& ints = *state_.run_time_ints;
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
  state_.graph->Erase(node);
  return AddConstant(std::move(value));
}

Value GraphBuilder::AddConstant(NDArray value) {
  state_.memory->Use(value.num_bytes());
  return Value{state_.graph->AddConstant(std::move(value), name_)};
}

absl::Status GraphBuilder::UseMemory(absl::string_view what, int64_t bytes) {
  ASSAY_RETURN_IF_ERROR(state_.memory->Check(what, bytes));
  state_.memory->Use(bytes);
  return absl::OkStatus();
}

absl::StatusOr<Value> GraphBuilder::AddReshape(Value x, Shape shape) {
  if (x.type().shape == shape) return x;
  return Add(OpKind::kReshape, ReshapeAttrs{std::move(shape)}, {x});
}

absl::StatusOr<Value> GraphBuilder::AddTranspose(Value x,
                                                 std::vector<int64_t> perm) {
  return Add(OpKind::kTranspose, TransposeAttrs{std::move(perm)}, {x});
}

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
    return absl::UnimplementedError(
        absl::StrCat("the operator needs the number ", value, ", which is no ",
                     type.ToString()));
  }
  return scalar;
}

absl::StatusOr<Value> AddPositions(GraphBuilder& op, int64_t count,
                                   int64_t axis, int64_t rank) {
  TensorType type{DType::Int64(), Shape(rank, 1)};
  type.shape[axis] = count;
  ASSAY_RETURN_IF_ERROR(CheckSize(type, op.max_bytes()));
  NDArray numbers(type.dtype, type.shape);
  const auto data = numbers.data<int64_t>();
  std::iota(data.begin(), data.end(), 0);
  return op.AddConstant(std::move(numbers));
}

absl::StatusOr<Value> ConvertedTo(GraphBuilder& op, Value x, DType type) {
  if (x.type().dtype == type) return x;
  return op.Add(OpKind::kCast, CastAttrs{type}, {x});
}

}  // namespace assay::graph
