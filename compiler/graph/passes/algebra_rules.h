// The rewrite rules of simplify_algebra.h, one file per family.
//
// Each function returns a value that can replace the only result of `node`; new
// nodes are inserted before it. If no rule matches, the returned value has no
// node and the graph is unchanged.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_ALGEBRA_RULES_H_
#define ASSAY_COMPILER_GRAPH_PASSES_ALGEBRA_RULES_H_

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

absl::StatusOr<Value> SimplifyArithmetic(Graph& graph, Node* node);
absl::StatusOr<Value> SimplifyMovement(Graph& graph, Node* node);
absl::StatusOr<Value> SinkTranspose(Graph& graph, Node* node);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_ALGEBRA_RULES_H_
