#include "compiler/graph/passes/copy_outputs.h"

#include "absl/container/flat_hash_set.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {

absl::StatusOr<bool> CopyOutputs::Run(Graph& graph) {
  bool changed = false;
  absl::flat_hash_set<Value> written;  // by the kernels of earlier outputs
  const int count = static_cast<int>(graph.data_outputs().size());
  for (int i = 0; i < count; ++i) {
    const Value value = graph.outputs()[i].value;
    if (value.type().num_elements() == 0) continue;
    const OpKind kind = value.node->kind();
    const bool is_computed =
        kind != OpKind::kInput && kind != OpKind::kConstant;
    if (is_computed && written.insert(value).second) continue;
    ASSAY_ASSIGN_OR_RETURN(
        Node * copy, graph.AddNode(OpKind::kReshape,
                                   ReshapeAttrs{value.type().shape}, {value}));
    graph.ReplaceOutput(i, {copy});
    changed = true;
  }
  return changed;
}

}  // namespace assay::graph
