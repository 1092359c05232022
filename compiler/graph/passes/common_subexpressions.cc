#include "compiler/graph/passes/common_subexpressions.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"

namespace assay::graph {
namespace {

std::vector<Value> KeyOperands(const Node& node) {
  std::vector<Value> operands(node.inputs().begin(), node.inputs().end());
  if (node.kind() == OpKind::kAdd || node.kind() == OpKind::kMultiply) {
    std::sort(operands.begin(), operands.end(), [](Value a, Value b) {
      return std::make_tuple(a.node->id(), a.index) <
             std::make_tuple(b.node->id(), b.index);
    });
  }
  return operands;
}

bool SameComputation(const Node& a, const Node& b) {
  return a.kind() == b.kind() && a.types() == b.types() &&
         KeyOperands(a) == KeyOperands(b) && AttrsEqual(a.attrs(), b.attrs());
}

}  // namespace

absl::StatusOr<bool> CommonSubexpressions::Run(Graph& graph) {
  bool changed = false;
  // Operands come first in the list, so equal operands are already one node
  // when their users are compared.
  absl::flat_hash_map<size_t, std::vector<Node*>> seen;
  for (Node* node : graph.Nodes()) {
    if (node->kind() == OpKind::kInput || node->kind() == OpKind::kKernel) {
      continue;
    }
    std::vector<Node*>& candidates = seen[absl::HashOf(
        node->kind(), HashAttrs(node->attrs()), KeyOperands(*node))];
    const auto earlier = std::find_if(
        candidates.begin(), candidates.end(),
        [&](const Node* other) { return SameComputation(*node, *other); });
    if (earlier == candidates.end()) {
      candidates.push_back(node);
      continue;
    }
    for (int i = 0; i < node->num_outputs(); ++i) {
      graph.ReplaceAllUses({node, i}, {*earlier, i});
    }
    graph.MergeSources(*earlier, node);
    graph.Erase(node);
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
