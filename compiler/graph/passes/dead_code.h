// dead_code: erases what no output needs.
//
// A node is dead if no graph output can be reached from it along users. Graph
// inputs stay, dead or not: they are the graph's signature.
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

// Erases `node`, where it is dead, and then each of its operands that died
// with it. For passes that clean up after a rewrite.
void EraseIfDead(Graph& graph, Node* node);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_DEAD_CODE_H_
