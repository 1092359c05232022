// dead_code: erases nodes that no output depends on.
//
// A node is dead if no graph output is reachable from it through its users.
// Graph inputs are kept even if dead: they are the graph's signature.
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

// Erases `node` if it is dead, and then its operands that became dead. For
// passes that clean up after a rewrite.
void EraseIfDead(Graph& graph, Node* node);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_DEAD_CODE_H_
