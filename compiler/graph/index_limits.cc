#include "compiler/graph/index_limits.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "runtime/base/element.h"

namespace assay::graph {
namespace {

using Limit = std::optional<int64_t>;

Limit Least(Limit a, Limit b) {
  if (!a.has_value() || !b.has_value()) return a.has_value() ? a : b;
  return std::min(*a, *b);
}

// Returns n if `value` is a constant with the elements 0, 1, …, n - 1.
Limit CountOfPositions(Value value) {
  if (value.node->kind() != OpKind::kConstant) return std::nullopt;
  const NDArray& array = value.node->attrs_as<ConstantAttrs>().value;
  if (array.dtype().is_float() || array.num_elements() < 2) return std::nullopt;
  for (int64_t i = 0; i < array.num_elements(); ++i) {
    if (LoadInt(array, i) != i) return std::nullopt;
  }
  return array.num_elements();
}

// The limit of operand `operand` of `node`, if it is an index there.
Limit IndexedElements(const Node& node, int operand) {
  const Shape& data = node.input(0).type().shape;
  switch (node.kind()) {
    case OpKind::kGather:
    case OpKind::kGatherElements:
      if (operand != 1) return std::nullopt;
      return data[static_cast<size_t>(node.attrs_as<GatherAttrs>().axis)];
    case OpKind::kScatterElements:
      if (operand != 1) return std::nullopt;
      return data[static_cast<size_t>(
          node.attrs_as<ScatterElementsAttrs>().axis)];
    case OpKind::kGatherNd:
    case OpKind::kScatterNd:
      // A tuple of indices has no single limit.
      if (operand != 1) return std::nullopt;
      return *std::min_element(data.begin(), data.end());
    case OpKind::kEqual:
      return CountOfPositions(node.input(1 - operand));
    default:
      return std::nullopt;
  }
}

// Returns true if the elements of the result are elements of this operand.
bool IsPassedOn(const Node& node, int operand) {
  switch (node.kind()) {
    case OpKind::kCast:
    case OpKind::kReshape:
    case OpKind::kBroadcastTo:
    case OpKind::kTranspose:
    case OpKind::kConcat:
    case OpKind::kSlice:
      return true;
    case OpKind::kGather:
    case OpKind::kGatherElements:
    case OpKind::kGatherNd:
      return operand == 0;
    case OpKind::kSelect:
      return operand > 0;
    default:
      return false;
  }
}

Limit LimitOf(const Node* input) {
  Limit limit;
  absl::flat_hash_set<const Node*> seen = {input};
  std::vector<const Node*> stack = {input};
  while (!stack.empty()) {
    const Node* node = stack.back();
    stack.pop_back();
    for (const Use& use : node->users()) {
      limit = Least(limit, IndexedElements(*use.user, use.operand));
      if (IsPassedOn(*use.user, use.operand) && seen.insert(use.user).second) {
        stack.push_back(use.user);
      }
    }
  }
  return limit;
}

}  // namespace

std::vector<Limit> IndexLimits(const Graph& graph) {
  std::vector<Limit> limits;
  for (const Node* input : graph.inputs()) {
    const DType dtype = input->type().dtype;
    const bool is_integer = !dtype.is_float() && !dtype.is_bool();
    limits.push_back(is_integer ? LimitOf(input) : std::nullopt);
  }
  return limits;
}

}  // namespace assay::graph
