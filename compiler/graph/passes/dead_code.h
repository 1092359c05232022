// dead_code: erases nodes on which no graph output depends.
//
// A node is dead if no graph output is reachable from it through its users.
// Graph inputs are never erased, because they are the signature of the graph.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_DEAD_CODE_H_
#define ASSAY_COMPILER_GRAPH_PASSES_DEAD_CODE_H_

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class DeadCode : public Pass {
 public:
  static constexpr char kName[] = "dead_code";
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;
};

// Erases `node` if it has no users and is neither an input nor an output of the
// graph. Then does the same, recursively, for the operands of each erased node.
// Passes call this function to clean up after a rewrite.
void EraseIfDead(Graph& graph, Node* node);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_DEAD_CODE_H_
