#include "compiler/graph/passes/copy_outputs.h"

#include <vector>

#include "runtime/base/status_macros.h"

namespace assay::graph {

absl::StatusOr<bool> CopyOutputs::Run(Graph& graph) {
  bool changed = false;
  for (size_t i = 0; i < graph.outputs().size(); ++i) {
    const Value value = graph.outputs()[i].value;
    const OpKind kind = value.node->kind();
    if (kind != OpKind::kInput && kind != OpKind::kConstant) continue;
    const std::vector<Use> users(value.node->users().begin(),
                                 value.node->users().end());
    ASSAY_ASSIGN_OR_RETURN(
        Node * copy, graph.AddNode(OpKind::kReshape,
                                   ReshapeAttrs{value.type().shape}, {value}));
    graph.ReplaceAllUses(value, {copy});
    // Other users keep reading the original.
    graph.ReplaceInput(copy, 0, value);
    for (const Use& use : users) {
      graph.ReplaceInput(use.user, use.operand, value);
    }
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
