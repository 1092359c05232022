#include "compiler/graph/passes/copy_outputs.h"

#include "absl/container/flat_hash_set.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {

absl::StatusOr<bool> CopyOutputs::Run(Graph& graph) {
  bool changed = false;
  absl::flat_hash_set<Value> seen;
  for (size_t i = 0; i < graph.outputs().size(); ++i) {
    const Value value = graph.outputs()[i].value;
    const OpKind kind = value.node->kind();
    if (kind != OpKind::kInput && kind != OpKind::kConstant &&
        seen.insert(value).second) {
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(
        Node * copy, graph.AddNode(OpKind::kReshape,
                                   ReshapeAttrs{value.type().shape}, {value}));
    graph.ReplaceOutput(i, {copy});
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
