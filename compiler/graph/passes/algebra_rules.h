// The rules of simplify_algebra.h, a file for each family.
//
// Each gives a value that `node`, which has one result, can be replaced by, new
// nodes being placed before it, or one without a node where no rule fits. It
// does not change the graph then.
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
