#include "compiler/graph/passes/fold_constants.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/passes/dead_code.h"
#include "compiler/graph/reference/evaluate.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

bool IsEmpty(const TensorType& type) { return type.num_elements() == 0; }

// Returns true if no result of `node` has elements and a result is used.
bool HasOnlyEmptyResults(const Graph& graph, const Node& node) {
  return node.kind() != OpKind::kConstant && node.kind() != OpKind::kKernel &&
         std::all_of(node.types().begin(), node.types().end(), IsEmpty) &&
         (!node.users().empty() || graph.IsOutput(&node));
}

void ReplaceByEmptyConstants(Graph& graph, Node* node) {
  for (int i = 0; i < node->num_outputs(); ++i) {
    Node* constant = graph.AddConstant(
        NDArray(node->type(i).dtype, node->type(i).shape), node->name(), node);
    graph.ReplaceAllUses({node, i}, {constant});
  }
  EraseIfDead(graph, node);
}

// Returns the value of `node` without its operands that have no elements: a
// shorter concat, or the data of a scatter. Returns the value of `node` itself
// if it has no such operand.
absl::StatusOr<Value> WithoutEmptyOperands(Graph& graph, Node* node) {
  if (node->kind() == OpKind::kScatterElements ||
      node->kind() == OpKind::kScatterNd) {
    return IsEmpty(node->input(1).type()) ? node->input(0) : Value{node};
  }
  if (node->kind() != OpKind::kConcat) return Value{node};
  std::vector<Value> operands;
  for (Value input : node->inputs()) {
    if (!IsEmpty(input.type())) operands.push_back(input);
  }
  if (operands.size() == node->inputs().size()) return Value{node};
  if (operands.size() == 1) return operands[0];
  ASSAY_ASSIGN_OR_RETURN(Node * shorter,
                         graph.AddNode(OpKind::kConcat, node->attrs(), operands,
                                       node->name(), node));
  graph.SetSources(shorter, node->sources());
  return Value{shorter};
}

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
    if (HasOnlyEmptyResults(graph, *node)) {
      ReplaceByEmptyConstants(graph, node);
      changed = true;
      continue;
    }
    if (!IsFoldable(*node)) {
      ASSAY_ASSIGN_OR_RETURN(const Value value,
                             WithoutEmptyOperands(graph, node));
      if (value == Value{node}) continue;
      graph.ReplaceAllUses({node}, value);
      EraseIfDead(graph, node);
      changed = true;
      continue;
    }
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
      ASSAY_RETURN_IF_ERROR(
          graph.SetEncoding(constant, node->type(i).encoding));
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
