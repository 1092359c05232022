#include "compiler/graph/passes/fold_constants.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/passes/dead_code.h"
#include "compiler/graph/reference/evaluate.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

bool IsFoldable(const Node& node) {
  if (node.num_inputs() == 0 || node.kind() == OpKind::kKernel) return false;
  for (Value input : node.inputs()) {
    if (input.node->kind() != OpKind::kConstant) return false;
  }
  return node.type().num_bytes() <= FoldConstants::kMaxFoldedBytes;
}

}  // namespace

absl::StatusOr<bool> FoldConstants::Run(Graph& graph) {
  MemoryBudget memory(max_memory_);
  for (const auto& node : graph.node_list()) {
    if (node->kind() == OpKind::kConstant) memory.Use(node->type().num_bytes());
  }
  bool changed = false;
  for (Node* node : graph.Nodes()) {
    if (!IsFoldable(*node)) continue;
    for (const TensorType& type : node->types()) {
      ASSAY_RETURN_IF_ERROR(
          memory.Check(absl::StrCat("node ", node->Label()), type.num_bytes()));
      memory.Use(type.num_bytes());
    }
    std::vector<NDArray> operands;
    for (Value input : node->inputs()) {
      operands.push_back(input.node->attrs_as<ConstantAttrs>().value);
    }
    ASSAY_ASSIGN_OR_RETURN(std::vector<NDArray> results,
                           EvaluateNode(*node, operands));
    for (int i = 0; i < node->num_outputs(); ++i) {
      Node* constant =
          graph.AddConstant(std::move(results[i]), node->name(), node);
      graph.SetSources(constant, {});
      for (Value input : node->inputs()) {
        graph.MergeSources(constant, input.node);
      }
      graph.MergeSources(constant, node);
      graph.ReplaceAllUses({node, i}, {constant});
    }
    // Erases this node and constants before it, which have been visited.
    EraseIfDead(graph, node);
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
