// common_subexpressions: merges nodes that compute the same value.
//
// Two nodes are equal if they have the same operator, attributes and operands.
// The order of the operands of add and multiply is ignored. Two constants are
// equal if their types and bytes are equal. The users of the later node become
// users of the earlier node, which also receives the sources of the later node.
// Kernels and graph inputs are not merged.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_COMMON_SUBEXPRESSIONS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_COMMON_SUBEXPRESSIONS_H_

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class CommonSubexpressions : public Pass {
 public:
  static constexpr char kName[] = "common_subexpressions";
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_COMMON_SUBEXPRESSIONS_H_
