// FusionGroups: computes the groups of operators from which fuse_operators
// makes kernels. fuse_operators.h describes the rules. The graph is not
// changed.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FUSION_GROUPS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FUSION_GROUPS_H_

#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/graph/passes/fusion_options.h"

namespace assay::graph {

// Returns the operators of each group in graph order. The last operator of a
// group computes the results of the group, and the groups are in the graph
// order of these last operators. Kernel nodes belong to no group.
std::vector<std::vector<Node*>> FusionGroups(const Graph& graph,
                                             const FusionOptions& options);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FUSION_GROUPS_H_
