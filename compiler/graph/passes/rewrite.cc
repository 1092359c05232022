#include "compiler/graph/passes/rewrite.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/graph/passes/dead_code.h"
#include "compiler/graph/reference/evaluate.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

template <typename T>
std::optional<double> Splat(const NDArray& array) {
  const auto data = array.data<T>();
  if (data.empty()) return std::nullopt;
  for (const T v : data) {
    const auto value = static_cast<double>(v),
               first = static_cast<double>(data[0]);
    if (!(v == data[0]) || std::signbit(value) != std::signbit(first)) {
      return std::nullopt;
    }
  }
  return static_cast<double>(data[0]);
}

bool IsComputed(Value value) {
  return value.node->kind() != OpKind::kInput &&
         value.node->kind() != OpKind::kConstant;
}

}  // namespace

bool HasOneUse(const Graph& graph, const Node* node) {
  return node->users().size() == 1 && !graph.IsOutput(node);
}

const NDArray* ConstantOf(Value value) {
  if (value.node->kind() != OpKind::kConstant) return nullptr;
  return &value.node->attrs_as<ConstantAttrs>().value;
}

std::optional<double> SplatOf(Value value) {
  const NDArray* array = ConstantOf(value);
  if (array == nullptr) return std::nullopt;
  if (array->dtype() == DType::Float32()) return Splat<float>(*array);
  if (array->dtype() == DType::Float64()) return Splat<double>(*array);
  if (array->dtype() == DType::Int32()) return Splat<int32_t>(*array);
  if (array->dtype() == DType::Int64()) return Splat<int64_t>(*array);
  return std::nullopt;
}

Node* PerChannelConstant(Graph& graph, const std::vector<double>& values,
                         int rank, Node* before) {
  Shape shape(rank - 1, 1);
  shape[0] = static_cast<int64_t>(values.size());
  NDArray array(DType::Float32(), shape);
  for (size_t c = 0; c < values.size(); ++c) {
    array.data<float>()[c] = static_cast<float>(values[c]);
  }
  return graph.AddConstant(std::move(array), "", before);
}

std::optional<std::vector<double>> PerChannelValues(Value value,
                                                    const TensorType& type) {
  const NDArray* array = ConstantOf(value);
  if (array == nullptr || array->dtype() != DType::Float32() ||
      type.rank() < 2) {
    return std::nullopt;
  }
  const int64_t channels = type.shape[1];
  const auto data = array->data<float>();
  if (array->num_elements() == 1) {
    return std::vector<double>(channels, data[0]);
  }
  // Aligned at the last axis, only axis 1 may have an extent above 1.
  const Shape& shape = array->shape();
  const size_t rank = type.shape.size();
  if (array->num_elements() != channels || shape.size() + 1 < rank ||
      shape[shape.size() + 1 - rank] != channels) {
    return std::nullopt;
  }
  return std::vector<double>(data.begin(), data.end());
}

absl::StatusOr<Value> Insert(Graph& graph, OpKind kind, Attrs attrs,
                             const std::vector<Value>& operands, Node* before) {
  ASSAY_ASSIGN_OR_RETURN(
      Node * node, graph.AddNode(kind, std::move(attrs), operands, "", before));
  return Value{node};
}

absl::StatusOr<Value> InsertEncode(Graph& graph, Value value,
                                   const Encoding& encoding, Node* before) {
  ASSAY_ASSIGN_OR_RETURN(
      const Value encoded,
      Insert(graph, OpKind::kEncode, NoAttrs(), {value}, before));
  ASSAY_RETURN_IF_ERROR(graph.SetEncoding(encoded.node, encoding));
  return encoded;
}

absl::StatusOr<Value> InsertFolded(Graph& graph, OpKind kind, Attrs attrs,
                                   const std::vector<Value>& operands,
                                   Node* before) {
  ASSAY_ASSIGN_OR_RETURN(
      const Value value,
      Insert(graph, kind, std::move(attrs), operands, before));
  std::vector<NDArray> values;
  for (const Value operand : operands) {
    const NDArray* constant = ConstantOf(operand);
    CHECK(constant != nullptr) << value.node->Label();
    values.push_back(*constant);
  }
  ASSAY_ASSIGN_OR_RETURN(std::vector<NDArray> results,
                         EvaluateNode(*value.node, values));
  Node* constant = graph.AddConstant(std::move(results[0]), "", before);
  graph.SetSources(constant, {});
  for (const Value operand : operands) {
    graph.MergeSources(constant, operand.node);
  }
  graph.Erase(value.node);
  return Value{constant};
}

bool CanReplace(const Graph& graph, const Node* node, Value value) {
  return !graph.IsOutput(node) ||
         (IsComputed(value) && !graph.IsOutput(value.node));
}

void Replace(Graph& graph, Node* node, Value value) {
  if (IsComputed(value)) graph.MergeSources(value.node, node);
  graph.ReplaceAllUses({node}, value);
  EraseIfDead(graph, node);
}

}  // namespace assay::graph
