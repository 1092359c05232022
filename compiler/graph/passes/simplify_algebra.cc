#include "compiler/graph/passes/simplify_algebra.h"

#include "compiler/graph/passes/algebra_rules.h"
#include "compiler/graph/passes/rewrite.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

absl::StatusOr<Value> Simplified(Graph& graph, Node* node) {
  for (const auto rule :
       {SimplifyArithmetic, SimplifyMovement, SinkTranspose}) {
    ASSAY_ASSIGN_OR_RETURN(const Value value, rule(graph, node));
    if (value.node == nullptr) continue;
    if (value.type().encoding == node->type().encoding) return value;
    // A rule may give a result that is stored in another way.
    return InsertEncode(graph, value, node->type().encoding, node);
  }
  return Value{};
}

// One walk over the nodes. A rule can erase operands of the node, but these
// precede it in the walk.
absl::StatusOr<bool> Walk(Graph& graph) {
  bool changed = false;
  for (Node* node : graph.Nodes()) {
    if (node->num_outputs() != 1 || node->num_inputs() == 0 ||
        node->kind() == OpKind::kKernel) {
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(const Value value, Simplified(graph, node));
    if (value.node == nullptr || !CanReplace(graph, node, value)) continue;
    Replace(graph, node, value);
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> SimplifyAlgebra::Run(Graph& graph) {
  bool changed = false;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool again, Walk(graph));
    if (!again) return changed;
    changed = true;
  }
}

}  // namespace assay::graph
