#include "compiler/graph/passes/dead_code.h"

#include <vector>

#include "absl/container/flat_hash_set.h"

namespace assay::graph {

absl::StatusOr<bool> DeadCode::Run(Graph& graph) {
  absl::flat_hash_set<const Node*> outputs;
  for (const Output& output : graph.outputs()) {
    outputs.insert(output.value.node);
  }
  bool changed = false;
  // Users come later in the list, so one backward walk erases whole chains.
  const std::vector<Node*> nodes = graph.Nodes();
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    Node* node = *it;
    if (node->kind() == OpKind::kInput || !node->users().empty() ||
        outputs.contains(node)) {
      continue;
    }
    graph.Erase(node);
    changed = true;
  }
  return changed;
}

void EraseIfDead(Graph& graph, Node* node) {
  std::vector<Node*> pending = {node};
  while (!pending.empty()) {
    Node* next = pending.back();
    pending.pop_back();
    if (next->kind() == OpKind::kInput || !next->users().empty() ||
        graph.IsOutput(next)) {
      continue;
    }
    // Each operand once: a second visit would read an erased node.
    absl::flat_hash_set<Node*> operands;
    for (Value input : next->inputs()) operands.insert(input.node);
    graph.Erase(next);
    for (Node* operand : operands) {
      if (operand->users().empty()) pending.push_back(operand);
    }
  }
}

}  // namespace assay::graph
