// common_subexpressions: merges nodes that compute the same value.
//
// Two nodes are equal if they have the same operator, attributes and operands;
// for add and multiply the order of the operands is ignored. Constants are
// equal if their types and bytes are. The users of the later node move to the
// earlier one, which takes over its sources. Kernels and graph inputs are not
// changed.
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
