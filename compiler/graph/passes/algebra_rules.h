// The rewrite rules of simplify_algebra.h. Each function is defined in a file
// of its own.
//
// Each function returns a value that can replace the only result of `node`. New
// nodes are inserted before `node`. If no rule matches, the functions return a
// Value whose node is null and do not change the graph.
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
